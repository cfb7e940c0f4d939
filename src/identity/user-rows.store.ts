import type { EntityManager } from 'typeorm';
import { inChunks } from '../common/concurrency/chunks';
import { BusinessError } from '../common/errors/business-error';
import { isAvatarUrl } from '../attachments/rules/signed-url.rules';
import { removeAvatarUses } from '../attachments/store/avatar-uses.store';
import { foldCase } from '../common/fold-case';
import { namePartsOf } from '../common/name-parts';
import { deleteRows, insertRows, lockRows, updateEach, updateRows } from '../database/sql/statements';
import { UserNamePartEntity } from './entities/user-name-part.entity';
import { USER_ENABLED, UserEntity } from './entities/user.entity';

/* Writes rows of users and their derived data: the folded columns and the name parts of the search. */

/** Rows per INSERT of name parts. A name has many parts, but their rows are small. */
const PARTS_BATCH_SIZE = 5_000;
/**
 * Users per UPDATE. The statement looks up each row's values linearly, so its cost grows with the square of the batch
 * size.
 */
const CHANGES_BATCH_SIZE = 100;

type Folded = 'account_key' | 'name_key';

/** A user to insert, without the derived columns. */
export type NewUser = Omit<UserEntity, Folded>;

/** The fields of a user that can be changed. */
export type UserSettings = Partial<Omit<UserEntity, Folded | 'id'>>;

/** The fields of a user that `changeUsers` can change. */
export type AccountSettings = Pick<UserSettings, 'account' | 'name' | 'avatar' | 'status'>;

/** A user after a change, the names of the changed fields, and their previous values. */
export interface ChangedUser {
  user: UserEntity;
  fields: (keyof UserSettings)[];
  before: Partial<UserSettings>;
}

/** Returns a new user of this service (not of an identity provider). */
export const newAccount = (
  id: number,
  fields: Pick<
    NewUser,
    'account' | 'external_id' | 'name' | 'avatar' | 'role' | 'password_hash' | 'created_at'
  >,
  status = USER_ENABLED,
): NewUser => ({
  id,
  issuer: '',
  discoverable: true,
  presence_visible: true,
  profile_at: null,
  status,
  ...fields,
});

/** Inserts a user and the name parts for the search. */
export async function insertUser(em: EntityManager, user: NewUser): Promise<UserEntity> {
  const [inserted] = await insertUsers(em, [user]);
  return inserted as UserEntity;
}

/** Inserts at least one user and the name parts for the search. */
export async function insertUsers(em: EntityManager, users: readonly NewUser[]): Promise<UserEntity[]> {
  const rows: UserEntity[] = users.map((user) => ({
    ...user,
    account_key: foldedAccount(user.account),
    name_key: foldCase(user.name),
  }));
  await insertRows(em, UserEntity, rows);
  await insertParts(em, rows);
  return rows;
}

/**
 * Locks a user's row until the transaction ends, and returns it.
 * @throws {BusinessError} USER_NOT_FOUND
 */
export async function lockUser(em: EntityManager, id: number): Promise<UserEntity> {
  const [user] = await lockRows(em, UserEntity, { id });
  if (user === undefined) throw new BusinessError('USER_NOT_FOUND');
  return user;
}

/**
 * Locks the rows of the existing users until the transaction ends, and returns them. Rows are locked in ascending order
 * of id, so that two transactions do not deadlock.
 */
export const lockUsers = (em: EntityManager, ids: readonly number[]): Promise<UserEntity[]> =>
  lockRows(em, UserEntity, { id: ids }, 'id');

/**
 * Locks the row of a user until the transaction ends, by an update that changes nothing. Returns false, and locks
 * nothing, if the user is disabled or does not match.
 */
export const lockEnabled = async (
  em: EntityManager,
  where: Pick<UserEntity, 'id'> & Partial<Pick<UserEntity, 'role' | 'password_hash'>>,
): Promise<boolean> =>
  (await updateRows(em, UserEntity, { ...where, status: USER_ENABLED }, { status: USER_ENABLED })) === 1;

/** Sets the password of a user, if the user exists and `where` matches. Returns whether it did. */
export const updatePassword = async (
  em: EntityManager,
  where: Pick<UserEntity, 'id'> & Partial<Pick<UserEntity, 'password_hash'>>,
  password_hash: string,
): Promise<boolean> => (await updateRows(em, UserEntity, where, { password_hash })) === 1;

/** Updates the roles or the statuses of users whose rows are locked. */
export async function updateAccess(
  em: EntityManager,
  ids: readonly number[],
  changes: Partial<Pick<UserEntity, 'role' | 'status'>>,
): Promise<void> {
  await updateRows<UserEntity>(em, UserEntity, { id: ids }, changes);
}

/**
 * Changes a user whose row is locked.
 * @param settings undefined fields are not changed
 */
export async function changeUser(
  em: EntityManager,
  user: UserEntity,
  settings: UserSettings,
): Promise<ChangedUser> {
  const { changes, ...changed } = withChanges(user, settings);
  if (changed.fields.length === 0) return changed;
  await updateRows(em, UserEntity, { id: user.id }, changes);
  await endAvatarUses(em, [changed]);
  if (changed.fields.includes('name')) await replaceParts(em, [changed.user]);
  return changed;
}

/**
 * Changes several users whose rows are locked, with few statements.
 * @returns the users with at least one changed field
 */
export async function changeUsers(
  em: EntityManager,
  updates: readonly { user: UserEntity; settings: AccountSettings }[],
): Promise<ChangedUser[]> {
  const results = updates.map(({ user, settings }) => withChanges(user, settings));
  const changed = results.filter(({ fields }) => fields.length > 0);
  for (const chunk of inChunks(changed, CHANGES_BATCH_SIZE)) {
    const rows = chunk.map(({ user: { id, account, account_key, name, name_key, avatar, status } }) => {
      return { id, account, account_key, name, name_key, avatar, status };
    });
    await updateEach(em, UserEntity, 'id', rows);
  }
  await endAvatarUses(em, changed);
  const renamed = changed.filter(({ fields }) => fields.includes('name'));
  if (renamed.length > 0)
    await replaceParts(
      em,
      renamed.map(({ user }) => user),
    );
  return changed;
}

/** Ends the use of the attachments of which replaced pictures were made; without any there is no statement. */
async function endAvatarUses(em: EntityManager, changed: readonly ChangedUser[]): Promise<void> {
  const replaced = changed.filter(
    ({ fields, before }) => fields.includes('avatar') && isAvatarUrl(before.avatar),
  );
  if (replaced.length > 0)
    await removeAvatarUses(
      em,
      'user',
      replaced.map(({ user }) => user.id),
    );
}

/** Applies settings to a user, and returns the changed columns including the derived ones. */
function withChanges(
  user: UserEntity,
  settings: UserSettings,
): ChangedUser & { changes: Partial<UserEntity> } {
  const fields = (Object.keys(settings) as (keyof UserSettings)[]).filter(
    (field) => settings[field] !== undefined && settings[field] !== user[field],
  );
  const before: Partial<UserSettings> = Object.fromEntries(fields.map((field) => [field, user[field]]));
  const changes: Partial<UserEntity> = Object.fromEntries(fields.map((field) => [field, settings[field]]));
  if (changes.account !== undefined) changes.account_key = foldedAccount(changes.account);
  if (changes.name !== undefined) changes.name_key = foldCase(changes.name);
  return { user: Object.assign(user, changes), fields, before, changes };
}

const foldedAccount = (account: string | null): string | null =>
  account === null ? null : foldCase(account);

async function replaceParts(em: EntityManager, users: readonly UserEntity[]): Promise<void> {
  await deleteRows(em, UserNamePartEntity, { user_id: users.map(({ id }) => id) });
  await insertParts(em, users);
}

/** Inserts the name parts of at least one user. A name is never empty, so there is at least one row. */
async function insertParts(em: EntityManager, users: readonly UserEntity[]): Promise<void> {
  const rows = users.flatMap(({ id, name }) => namePartsOf(name).map((part) => ({ part, user_id: id })));
  for (const chunk of inChunks(rows, PARTS_BATCH_SIZE)) await insertRows(em, UserNamePartEntity, chunk);
}
