/** Scopes of API keys (API 4.2). A scope may exist before the routes that require it. */
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

/** Whether the granted scopes include the needed one: `:write` includes `:read`. */
export function opens(granted: readonly Scope[], needed: Scope): boolean {
  return granted.some((scope) => scope === needed || scope.replace(/:write$/, ':read') === needed);
}
