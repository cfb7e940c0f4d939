import type { EntityManager } from 'typeorm';
import { SECRET } from '../../audit/rules/changed-fields.rules';
import { recordAudit, recordLogIn } from '../../audit/recording/record-audit';
import type { UserEntity } from '../entities/user.entity';
import type { ChangedUser } from '../user-rows.store';

/* Audit log entries of users. */

/** Audits a user created by an administrator or an API key. */
export function noteNewUser(em: EntityManager, user: UserEntity): void {
  const { id, account, external_id, name, avatar, role, status, password_hash } = user;
  const password = password_hash === null ? null : SECRET;
  const after = { account, external_id, name, avatar, role, status, password };
  recordAudit(em, { object_id: id, before: null, after });
}

/** Audits the login of an administrator; logins of other users are not audited (API 15.1). */
export function noteAdministratorsLogIn(
  em: EntityManager,
  { id, name, role }: UserEntity,
  user_agent: string | null,
): void {
  if (role !== 'admin') return;
  recordLogIn(em, { type: 'user', id, name }, { object_id: id, before: null, after: { user_agent } });
}

/** Audits tokens issued for a user. */
export function noteIssuedTokens(em: EntityManager, userId: number): void {
  recordAudit(em, { object_id: userId, before: null, after: { token: SECRET } });
}

/** Audits a change to a user. */
export function noteChangedUser(em: EntityManager, { user, fields, before }: ChangedUser): void {
  const after = Object.fromEntries(fields.map((field) => [field, user[field]]));
  recordAudit(em, { object_id: user.id, before, after });
}
