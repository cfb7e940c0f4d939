import { type EntityManager, IsNull, MoreThanOrEqual, Not } from 'typeorm';
import type { Principal, Role } from '../common/auth/principal';
import { BusinessError } from '../common/errors/business-error';
import { foldCase } from '../common/fold-case';
import { findRows, lockRows, updateRows, type Where } from '../database/sql/statements';
import { SEQUENCE_ROW, UserSequenceEntity } from './entities/user-sequence.entity';
import { USER_ENABLED, UserEntity } from './entities/user.entity';
import type { RemainingAdministrators } from './rules/upsert-plan.rules';

/** Columns of a user that are read to authenticate a token. */
const TOKEN_USER = ['id', 'external_id', 'issuer', 'status', 'profile_at'] as const;
export type TokenUser = Pick<UserEntity, (typeof TOKEN_USER)[number]>;

/** Returns what authentication needs to know of the users that match. */
export const tokenUsers = (em: EntityManager, where: Where<UserEntity>): Promise<TokenUser[]> =>
  findRows(em, UserEntity, where, TOKEN_USER);

/** @throws {BusinessError} USER_NOT_FOUND */
export async function userById(em: EntityManager, id: number): Promise<UserEntity> {
  const [user] = await findRows(em, UserEntity, { id });
  if (user === undefined) throw new BusinessError('USER_NOT_FOUND');
  return user;
}

/** Returns the user with an external id that has no issuer (API 2.3); undefined if there is none. */
export async function userByExternalId(
  em: EntityManager,
  external_id: string,
): Promise<UserEntity | undefined> {
  const [user] = await findRows(em, UserEntity, { external_id, issuer: '' });
  return user;
}

/** Columns of a user that other modules need. */
const PUBLIC_COLUMNS = ['id', 'name', 'avatar', 'status', 'created_at'] as const;
export type PublicUser = Pick<UserEntity, (typeof PUBLIC_COLUMNS)[number]>;

/** Returns what other modules need of the users with these ids, in no particular order. Unknown ids are missing. */
export const publicUsersByIds = async (em: EntityManager, ids: readonly number[]): Promise<PublicUser[]> =>
  ids.length === 0 ? [] : findRows(em, UserEntity, { id: ids }, PUBLIC_COLUMNS);

/** Returns the users with these ids, in no particular order. Unknown ids are missing. */
export const usersByIds = async (em: EntityManager, ids: readonly number[]): Promise<UserEntity[]> =>
  ids.length === 0 ? [] : findRows(em, UserEntity, { id: ids });

/** Returns the users that match, with their password hashes. */
export function usersWithHash(em: EntityManager, where: Where<UserEntity>): Promise<UserEntity[]> {
  const { columns } = em.dataSource.getMetadata(UserEntity);
  const names = columns.map(({ propertyName }) => propertyName as keyof UserEntity);
  return findRows(em, UserEntity, where, names);
}

/** Counts all users, or those with a stored role. */
export const countUsersWith = (em: EntityManager, role?: Role): Promise<number> =>
  em.countBy(UserEntity, role === undefined ? {} : { role });

/** Returns the users created at `moment` or later. */
export const usersCreatedSince = (em: EntityManager, moment: Date): Promise<UserEntity[]> =>
  em.findBy(UserEntity, { created_at: MoreThanOrEqual(moment) });

/** Returns the ids of the enabled users with the stored role `admin`, ascending. */
export async function enabledAdministrators(em: EntityManager): Promise<number[]> {
  const rows = await findRows(em, UserEntity, { role: 'admin', status: USER_ENABLED }, ['id']);
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

/** Allocates the id of a user created by this service; see `nextUserIds`. */
export async function nextUserId(em: EntityManager): Promise<number> {
  const [id] = await nextUserIds(em, 1);
  return id as number;
}

/**
 * Allocates at least one id for users created by this service, in the transaction that inserts them. Advances the
 * sequence and skips ids that tokens of identity providers have used.
 */
export async function nextUserIds(em: EntityManager, count: number): Promise<number[]> {
  // The row stays locked until the commit, so concurrent transactions never get the same id.
  let { last_user_id: last } = await lockUserSequence(em);
  const free: number[] = [];
  while (free.length < count) {
    const candidates = Array.from({ length: count - free.length }, (_, index) => last + 1 + index);
    const users = await findRows(em, UserEntity, { id: candidates }, ['id']);
    const used = new Set(users.map(({ id }) => id));
    const unused = candidates.filter((id) => !used.has(id));
    free.push(...unused);
    last += candidates.length;
    if (unused.length === 0) last = (await firstFreeAfter(em, last)) - 1;
  }
  await updateRows(em, UserSequenceEntity, { id: SEQUENCE_ROW }, { last_user_id: free.at(-1) });
  return free;
}

/**
 * Returns the first free id above a used one. A run of used ids is scanned only once, because the sequence then moves
 * past it.
 */
async function firstFreeAfter(em: EntityManager, taken: number): Promise<number> {
  const [last] = await em.query<{ id: string | number }[]>(
    `SELECT u.id FROM users u WHERE u.id >= ? AND NOT EXISTS (SELECT 1 FROM users n WHERE n.id = u.id + 1)
     ORDER BY u.id LIMIT 1`,
    [taken],
  );
  return Number(last?.id) + 1;
}

/** Locks the user sequence until the transaction ends: no other transaction allocates an id from it or locks it. */
export async function lockUserSequence(em: EntityManager): Promise<UserSequenceEntity> {
  const [row] = await lockRows(em, UserSequenceEntity, { id: SEQUENCE_ROW });
  return row as UserSequenceEntity;
}

/**
 * Returns the administrators of whom one must remain after changes of a user: in a login session one who can log in;
 * with a token of an identity provider, which appoints administrators too, one with the stored role.
 */
export const remainingFor = ({ sid }: Principal): RemainingAdministrators =>
  sid === undefined ? 'all' : 'able to log in';

/**
 * Returns whether all administrators who count are among these users, and there is at least one. Must be called in
 * the transaction that removes the role or the access. The lock on the user sequence serialises such transactions:
 * otherwise two administrators could remove each other at the same time.
 */
export async function areLastAdministrators(
  em: EntityManager,
  userIds: readonly number[],
  counted: RemainingAdministrators,
): Promise<boolean> {
  await lockUserSequence(em);
  const administrators = await someAdministrators(em, userIds.length + 1, counted);
  return administrators.length > 0 && administrators.every((id) => userIds.includes(id));
}

/** Returns the ids of at most `limit` enabled administrators who count. */
export async function someAdministrators(
  em: EntityManager,
  limit: number,
  counted: RemainingAdministrators,
): Promise<number[]> {
  const administrators = await em.find(UserEntity, {
    select: { id: true },
    where: {
      role: 'admin',
      status: USER_ENABLED,
      ...(counted === 'able to log in' && { account_key: Not(IsNull()), password_hash: Not(IsNull()) }),
    },
    take: limit,
  });
  return administrators.map(({ id }) => id);
}

/**
 * Requires that an external id is free. Those set through this API have no issuer, and compare byte for byte (API 2.3).
 * @throws {BusinessError} EXTERNAL_ID_TAKEN: another user than `exceptId` has it
 */
export async function assertExternalIdFree(
  em: EntityManager,
  external_id: string,
  exceptId = 0,
): Promise<void> {
  const isTaken = await em.existsBy(UserEntity, { external_id, issuer: '', id: Not(exceptId) });
  if (isTaken) throw new BusinessError('EXTERNAL_ID_TAKEN');
}

/**
 * Requires that an account is free. Accounts compare case-insensitively (API 1.4).
 * @throws {BusinessError} ACCOUNT_TAKEN: another user than `exceptId` has it
 */
export async function assertAccountFree(em: EntityManager, account: string, exceptId = 0): Promise<void> {
  const isTaken = await em.existsBy(UserEntity, { account_key: foldCase(account), id: Not(exceptId) });
  if (isTaken) throw new BusinessError('ACCOUNT_TAKEN');
}
