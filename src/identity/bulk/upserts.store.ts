import { type EntityManager, In } from 'typeorm';
import type { InputRow } from '../../common/bulk/upsert-planner';
import { foldCase } from '../../common/fold-case';
import { lockingRows } from '../../database/sql/dialect';
import { USER_DISABLED, UserEntity } from '../entities/user.entity';
import type { CurrentUsers, UserInput } from '../rules/upsert-plan.rules';
import { lockUserSequence, someAdministrators } from '../users.store';

/**
 * Loads the current state of the users in the input. Locks the user sequence, so that no other user is created, and the
 * existing users, until the transaction ends.
 * @param mustKeepOne whether an administrator who can log in must remain
 */
export async function loadCurrentUsers(
  em: EntityManager,
  rows: readonly InputRow<UserInput>[],
  { mustKeepOne }: { mustKeepOne: boolean },
): Promise<CurrentUsers<UserEntity>> {
  await lockUserSequence(em);
  const inputs = rows.flatMap((row) => ('input' in row ? [row.input] : []));
  const users = await lockByExternalIds(
    em,
    inputs.map(({ external_id }) => external_id),
  );
  const accounts = await findOwners(
    em,
    inputs.flatMap(({ account }) => account ?? []),
  );
  const disablesAdministrator = inputs.some(
    ({ external_id, status }) => status === USER_DISABLED && users.get(external_id)?.role === 'admin',
  );
  if (!mustKeepOne || !disablesAdministrator) return { users, accounts };
  return { users, accounts, administrators: new Set(await someAdministrators(em, rows.length + 1)) };
}

async function lockByExternalIds(em: EntityManager, ids: string[]): Promise<Map<string, UserEntity>> {
  if (ids.length === 0) return new Map();
  const query = em.createQueryBuilder(UserEntity, 'u').where({ external_id: In(ids), issuer: '' });
  const users = await lockingRows(query).getMany();
  return new Map(users.map((user) => [user.external_id ?? '', user]));
}

/** Returns the owners of accounts: folded account → user id. */
async function findOwners(em: EntityManager, accounts: string[]): Promise<Map<string, number>> {
  if (accounts.length === 0) return new Map();
  const owners = await em.find(UserEntity, {
    select: { id: true, account_key: true },
    where: { account_key: In(accounts.map(foldCase)) },
  });
  return new Map(owners.map(({ id, account_key }) => [account_key ?? '', id]));
}
