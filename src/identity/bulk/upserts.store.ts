import type { EntityManager } from 'typeorm';
import type { InputRow } from '../../common/bulk/upsert-planner';
import { foldCase } from '../../common/fold-case';
import { findRows, lockRows } from '../../database/sql/statements';
import { UserEntity } from '../entities/user.entity';
import {
  type CurrentUsers,
  fieldRemovingAccess,
  type RemainingAdministrators,
  type UserInput,
} from '../rules/upsert-plan.rules';
import { lockUserSequence, someAdministrators } from '../users.store';

/**
 * Loads the current state of the users in the input. Locks the user sequence, so that no other user is created, and the
 * existing users, until the transaction ends.
 * @param counted administrators of whom one must remain; undefined: none must
 */
export async function loadCurrentUsers(
  em: EntityManager,
  rows: readonly InputRow<UserInput>[],
  counted: RemainingAdministrators | undefined,
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
  const removesAdministrator = inputs.some((input) => {
    const user = users.get(input.external_id);
    return user?.role === 'admin' && fieldRemovingAccess(input, user, counted) !== undefined;
  });
  if (counted === undefined || !removesAdministrator) return { users, accounts };
  const administrators = new Set(await someAdministrators(em, rows.length + 1, counted));
  return { users, accounts, administrators, counted };
}

async function lockByExternalIds(em: EntityManager, ids: string[]): Promise<Map<string, UserEntity>> {
  if (ids.length === 0) return new Map();
  const users = await lockRows(em, UserEntity, { external_id: ids, issuer: '' });
  return new Map(users.map((user) => [user.external_id ?? '', user]));
}

/** Returns the owners of accounts: folded account → user id. */
async function findOwners(em: EntityManager, accounts: string[]): Promise<Map<string, number>> {
  if (accounts.length === 0) return new Map();
  const where = { account_key: accounts.map(foldCase) };
  const owners = await findRows(em, UserEntity, where, ['id', 'account_key']);
  return new Map(owners.map(({ id, account_key }) => [account_key ?? '', id]));
}
