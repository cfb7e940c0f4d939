import type { ApiKeyResponse } from '@callboard/client';

export type Scope = ApiKeyResponse['scopes'][number];

export const SCOPES = [
  'users:read',
  'users:write',
  'tokens:issue',
  'notifications:send',
  'messages:send-as',
  'calls:read',
  'device-groups:read',
  'device-groups:write',
  'audit:read',
  'stats:read',
] as const satisfies readonly Scope[];

/** Returns the i18n key of a scope. Scope names contain `:`, which is a separator in i18n keys. */
export const scopeText = (scope: Scope) => SCOPE_TEXTS[scope];

const SCOPE_TEXTS = {
  'users:read': 'keys.scopes.usersRead',
  'users:write': 'keys.scopes.usersWrite',
  'tokens:issue': 'keys.scopes.tokensIssue',
  'notifications:send': 'keys.scopes.notificationsSend',
  'messages:send-as': 'keys.scopes.messagesSendAs',
  'calls:read': 'keys.scopes.callsRead',
  'device-groups:read': 'keys.scopes.deviceGroupsRead',
  'device-groups:write': 'keys.scopes.deviceGroupsWrite',
  'audit:read': 'keys.scopes.auditRead',
  'stats:read': 'keys.scopes.statsRead',
} as const satisfies Record<Scope, string>;
