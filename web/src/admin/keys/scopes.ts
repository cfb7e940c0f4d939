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

/** The text of a scope has its name without the marks that mean something to the catalogue. */
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
