/*
 * Actions of the audit log: `noun.verb` (API 15.1). The noun is the type of the object. The list is fixed by the
 * API rules and may contain actions whose route does not exist yet; docs/administration.md explains each of them.
 */
const VERBS = {
  user: ['create', 'update', 'bulk_update', 'import', 'password', 'issue_token'],
  session: ['delete'],
  log_in: ['success'],
  key: ['create', 'update', 'delete'],
  device_group: ['create', 'update', 'delete', 'move', 'position'],
  device: ['create', 'update', 'delete', 'bulk_update', 'move', 'import'],
  notification: ['send'],
  announcement: ['send', 'recall'],
  webhook: ['create', 'update', 'delete', 'rotate', 'test', 'redeliver', 'replay'],
  push_target: ['delete', 'test'],
  call: ['end'],
  conversation: ['create', 'delete', 'inspect'],
  message: ['send', 'recall'],
  attachment: ['create'],
} as const;

type Verbs = typeof VERBS;

/** The type of the object of an action. */
export type AuditObjectType = keyof Verbs;

/** An action, such as `user.update`. */
export type AuditAction = { [Noun in AuditObjectType]: `${Noun}.${Verbs[Noun][number]}` }[AuditObjectType];

export const AUDIT_OBJECT_TYPES = Object.keys(VERBS) as AuditObjectType[];

export const AUDIT_ACTIONS = Object.entries(VERBS).flatMap(([noun, verbs]) =>
  verbs.map((verb) => `${noun}.${verb}` as AuditAction),
);

/** Returns the object type of an action. */
export const objectTypeOf = (action: AuditAction): AuditObjectType =>
  action.slice(0, action.indexOf('.')) as AuditObjectType;
