import type { EntityManager } from 'typeorm';
import { SEQUENCE_ROW, UserSequenceEntity } from './entities/user-sequence.entity';
import { UserEntity } from './entities/user.entity';

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
