/** What keys of back ends may be given (contract 13). A scope may exist before the routes that it opens. */
export const SCOPES = [
  'users:read',
  'users:write',
  'tokens:issue',
  'notifications:send',
  'messages:send-as',
  'calls:read',
  'stats:read',
  'audit:read',
  'device-groups:read',
  'device-groups:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether a key with these scopes may use what needs one of them: `:write` includes `:read`. */
export function opens(held: readonly Scope[], needed: Scope): boolean {
  return held.some((scope) => scope === needed || scope.replace(/:write$/, ':read') === needed);
}
