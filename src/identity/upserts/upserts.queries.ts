import { type EntityManager, In } from 'typeorm';
import { foldCase } from '../../common/fold-case';
import { lockingRows } from '../../database/dialect';
import { USER_DISABLED, UserEntity } from '../entities/user.entity';
import type { Line, Standing } from '../rules/upsert-plan';
import { holdUserSequence, someAdministrators } from '../users.queries';

/**
 * What there is of the users told of; those who are known are held, and nobody else is made, until the transaction ends.
 * @param mustKeepOne whether an administrator who can log in must be left
 */
export async function standingOf(
  em: EntityManager,
  lines: readonly Line[],
  { mustKeepOne }: { mustKeepOne: boolean },
): Promise<Standing<UserEntity>> {
  await holdUserSequence(em);
  const told = lines.flatMap((line) => ('told' in line ? [line.told] : []));
  const users = await holdByExternalIds(
    em,
    told.map(({ external_id }) => external_id),
  );
  const accounts = await holdersOf(
    em,
    told.flatMap(({ account }) => account ?? []),
  );
  const mayGo = told.some(
    ({ external_id, status }) => status === USER_DISABLED && users.get(external_id)?.role === 'admin',
  );
  if (!mustKeepOne || !mayGo) return { users, accounts };
  return { users, accounts, administrators: new Set(await someAdministrators(em, lines.length + 1)) };
}

async function holdByExternalIds(em: EntityManager, ids: string[]): Promise<Map<string, UserEntity>> {
  if (ids.length === 0) return new Map();
  const query = em.createQueryBuilder(UserEntity, 'u').where({ external_id: In(ids), issuer: '' });
  const users = await lockingRows(query).getMany();
  return new Map(users.map((user) => [user.external_id ?? '', user]));
}

/** Whose these accounts are, by the folded account. */
async function holdersOf(em: EntityManager, accounts: string[]): Promise<Map<string, number>> {
  if (accounts.length === 0) return new Map();
  const holders = await em.find(UserEntity, {
    select: { id: true, account_key: true },
    where: { account_key: In(accounts.map(foldCase)) },
  });
  return new Map(holders.map(({ id, account_key }) => [account_key ?? '', id]));
}
