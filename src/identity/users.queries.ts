import { type EntityManager, In, IsNull, Not } from 'typeorm';
import { BusinessError } from '../common/errors/business-error';
import { foldCase } from '../common/fold-case';
import { lockingRows } from '../database/dialect';
import { updateRows } from '../database/rows';
import { SEQUENCE_ROW, UserSequenceEntity } from './entities/user-sequence.entity';
import { USER_ENABLED, UserEntity } from './entities/user.entity';

/** The next id for a user created here: see `nextUserIds`. */
export async function nextUserId(em: EntityManager): Promise<number> {
  const [id] = await nextUserIds(em, 1);
  return id as number;
}

/**
 * The next ids for users created here, at least one, allotted within the transaction that inserts them: the sequence goes
 * up, past ids that foreign tokens have brought.
 */
export async function nextUserIds(em: EntityManager, count: number): Promise<number[]> {
  // The row stays locked until the commit, so two creations never see the same id.
  let { last_user_id: last } = await holdUserSequence(em);
  const free: number[] = [];
  while (free.length < count) {
    const candidates = Array.from({ length: count - free.length }, (_, index) => last + 1 + index);
    const users = await em.find(UserEntity, { select: { id: true }, where: { id: In(candidates) } });
    const taken = new Set(users.map(({ id }) => id));
    const untaken = candidates.filter((id) => !taken.has(id));
    free.push(...untaken);
    last += candidates.length;
    if (untaken.length === 0) last = (await firstFreeAfter(em, last)) - 1;
  }
  await updateRows(em, UserSequenceEntity, { id: SEQUENCE_ROW }, { last_user_id: free.at(-1) });
  return free;
}

/** The first id above a taken one that nobody has. The run of taken ids is walked once, since the sequence then is past it. */
async function firstFreeAfter(em: EntityManager, taken: number): Promise<number> {
  const last = await em
    .createQueryBuilder(UserEntity, 'u')
    .select('u.id', 'id')
    .where('u.id >= :taken', { taken })
    .andWhere('NOT EXISTS (SELECT 1 FROM users n WHERE n.id = u.id + 1)')
    .orderBy('u.id')
    .limit(1)
    .getRawOne<{ id: string | number }>();
  return Number(last?.id) + 1;
}

/** Until the transaction ends, nobody else gets an id of the sequence, or holds it. */
export function holdUserSequence(em: EntityManager): Promise<UserSequenceEntity> {
  const row = em.createQueryBuilder(UserSequenceEntity, 's').where({ id: SEQUENCE_ROW });
  return lockingRows(row).getOneOrFail();
}

/**
 * Whether nobody but these users could log in as an administrator, and some of them could, asked within the transaction
 * that takes the role or the access away. Such transactions wait for each other here, or two administrators could remove
 * one another at once.
 */
export async function areLastAdministrators(em: EntityManager, userIds: readonly number[]): Promise<boolean> {
  await holdUserSequence(em);
  const administrators = await someAdministrators(em, userIds.length + 1);
  return administrators.length > 0 && administrators.every((id) => userIds.includes(id));
}

/** The ids of up to `most` administrators who could log in. */
export async function someAdministrators(em: EntityManager, most: number): Promise<number[]> {
  const administrators = await em.find(UserEntity, {
    select: { id: true },
    where: { role: 'admin', status: USER_ENABLED, password_hash: Not(IsNull()) },
    take: most,
  });
  return administrators.map(({ id }) => id);
}

/**
 * External ids that are told here have no issuer, and compare byte for byte (contract 18.1).
 * @throws {BusinessError} EXTERNAL_ID_TAKEN: by another user than the one with `exceptId`
 */
export async function refuseTakenExternalId(
  em: EntityManager,
  external_id: string,
  exceptId = 0,
): Promise<void> {
  const isTaken = await em.existsBy(UserEntity, { external_id, issuer: '', id: Not(exceptId) });
  if (isTaken) throw new BusinessError('EXTERNAL_ID_TAKEN');
}

/**
 * Account names compare without case (contract 1.3).
 * @throws {BusinessError} ACCOUNT_TAKEN: by another user than the one with `exceptId`
 */
export async function refuseTaken(em: EntityManager, account: string, exceptId = 0): Promise<void> {
  const isTaken = await em.existsBy(UserEntity, { account_key: foldCase(account), id: Not(exceptId) });
  if (isTaken) throw new BusinessError('ACCOUNT_TAKEN');
}
