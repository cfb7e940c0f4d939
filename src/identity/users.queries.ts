import { type EntityManager, IsNull, Not } from 'typeorm';
import { lockingRows } from '../database/dialect';
import { SEQUENCE_ROW, UserSequenceEntity } from './entities/user-sequence.entity';
import { USER_ENABLED, UserEntity } from './entities/user.entity';

/**
 * The next id for a user created here, allotted within the transaction that inserts it: the sequence goes up by one,
 * past ids that foreign tokens have brought.
 */
export async function nextUserId(em: EntityManager): Promise<number> {
  // The row stays locked until the commit, so two creations never see the same id.
  await em.increment(UserSequenceEntity, { id: SEQUENCE_ROW }, 'last_user_id', 1);
  const { last_user_id: candidate } = await em.findOneByOrFail(UserSequenceEntity, { id: SEQUENCE_ROW });
  if (!(await em.existsBy(UserEntity, { id: candidate }))) return candidate;
  const free = await firstFreeAfter(em, candidate);
  await em.update(UserSequenceEntity, { id: SEQUENCE_ROW }, { last_user_id: free });
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
export async function holdUserSequence(em: EntityManager): Promise<void> {
  const row = em.createQueryBuilder(UserSequenceEntity, 's').where({ id: SEQUENCE_ROW });
  await lockingRows(row).getOneOrFail();
}

/**
 * Whether nobody but these users could log in as an administrator, and some of them could, asked within the transaction
 * that takes the role or the access away. Such transactions wait for each other here, or two administrators could remove
 * one another at once.
 */
export async function areLastAdministrators(em: EntityManager, userIds: readonly number[]): Promise<boolean> {
  await holdUserSequence(em);
  const administrators = await em.find(UserEntity, {
    select: { id: true },
    where: { role: 'admin', status: USER_ENABLED, password_hash: Not(IsNull()) },
    take: userIds.length + 1,
  });
  return administrators.length > 0 && administrators.every(({ id }) => userIds.includes(id));
}
