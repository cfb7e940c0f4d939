import { type EntityManager, In } from 'typeorm';
import { inChunks } from '../common/concurrency/chunks';
import { foldCase } from '../common/fold-case';
import { namePartsOf } from '../common/name-parts';
import { lockingRows } from '../database/dialect';
import { deleteRows, insertRows, updateEach, updateRows } from '../database/rows';
import { UserNamePartEntity } from './entities/user-name-part.entity';
import { USER_ENABLED, UserEntity } from './entities/user.entity';

/* Users' rows, and what follows from them: the folded forms, and the parts by which names are found. */

/** Names have many parts, whose rows are narrow. */
const PARTS_AT_ONCE = 5_000;
/** A statement looks each row's values up one after the other. */
const CHANGES_AT_ONCE = 100;

type Folded = 'account_key' | 'name_key';

/** A user to be made, but for what follows from the rest. */
export type NewUser = Omit<UserEntity, Folded>;

/** What of a user can be set. */
export type UserSettings = Partial<Omit<UserEntity, Folded | 'id'>>;

/** What of several users can be set at once. */
export type AccountSettings = Pick<UserSettings, 'account' | 'name' | 'avatar' | 'status'>;

/** A user as it is after a change, the names of what is another now, and what that was before. */
export interface ChangedUser {
  user: UserEntity;
  fields: (keyof UserSettings)[];
  before: Partial<UserSettings>;
}

/** A user of this service, with what is told of it. */
export const newAccount = (
  id: number,
  about: Pick<
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
  ...about,
});

/** Makes a user, who is found by name at once. */
export async function insertUser(em: EntityManager, user: NewUser): Promise<UserEntity> {
  const [inserted] = await insertUsers(em, [user]);
  return inserted as UserEntity;
}

/** Makes users, at least one, who are found by name at once. */
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
 * One user, whom nobody else changes until the transaction ends.
 * @throws when there is none
 */
export function holdUser(em: EntityManager, id: number): Promise<UserEntity> {
  return lockingRows(em.createQueryBuilder(UserEntity, 'u').where({ id })).getOneOrFail();
}

/** Those of some users who exist, held as one is; in the order of their ids, so that two who hold several do not cross. */
export function holdUsers(em: EntityManager, ids: readonly number[]): Promise<UserEntity[]> {
  const users = em
    .createQueryBuilder(UserEntity, 'u')
    .where({ id: In([...ids]) })
    .orderBy('u.id');
  return lockingRows(users).getMany();
}

/**
 * Changes a user who is held.
 * @param settings those that are undefined stay
 */
export async function changeUser(
  em: EntityManager,
  user: UserEntity,
  settings: UserSettings,
): Promise<ChangedUser> {
  const { changes, ...changed } = withChanges(user, settings);
  if (changed.fields.length === 0) return changed;
  await updateRows(em, UserEntity, { id: user.id }, changes);
  if (changed.fields.includes('name')) await renewParts(em, [changed.user]);
  return changed;
}

/**
 * Changes several users who are held, each as it is told, with few statements.
 * @returns those of whom something is another now
 */
export async function changeUsers(
  em: EntityManager,
  told: readonly { user: UserEntity; settings: AccountSettings }[],
): Promise<ChangedUser[]> {
  const all = told.map(({ user, settings }) => withChanges(user, settings));
  const changed = all.filter(({ fields }) => fields.length > 0);
  for (const some of inChunks(changed, CHANGES_AT_ONCE)) {
    const rows = some.map(({ user: { id, account, account_key, name, name_key, avatar, status } }) => {
      return { id, account, account_key, name, name_key, avatar, status };
    });
    await updateEach(em, UserEntity, 'id', rows);
  }
  const renamed = changed.filter(({ fields }) => fields.includes('name'));
  if (renamed.length > 0)
    await renewParts(
      em,
      renamed.map(({ user }) => user),
    );
  return changed;
}

/** A user with some settings, and the columns by which it differs then. */
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

async function renewParts(em: EntityManager, users: readonly UserEntity[]): Promise<void> {
  await deleteRows(em, UserNamePartEntity, { user_id: users.map(({ id }) => id) });
  await insertParts(em, users);
}

/** A name is never empty, so it has a part. */
async function insertParts(em: EntityManager, users: readonly UserEntity[]): Promise<void> {
  const rows = users.flatMap(({ id, name }) => namePartsOf(name).map((part) => ({ part, user_id: id })));
  for (const some of inChunks(rows, PARTS_AT_ONCE)) await insertRows(em, UserNamePartEntity, some);
}
