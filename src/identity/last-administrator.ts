import { type EntityManager, IsNull, Not } from 'typeorm';
import { lockingRows } from '../database/row-lock';
import { SEQUENCE_ROW, UserSequenceEntity } from './entities/user-sequence.entity';
import { USER_ENABLED, UserEntity } from './entities/user.entity';

/**
 * Whether a user is the only one who could log in as an administrator, asked within the transaction that takes the
 * role or the access away. Such transactions wait for each other here, or two administrators could remove one another
 * at once.
 */
export async function isLastAdministrator(em: EntityManager, userId: number): Promise<boolean> {
  const row = em.createQueryBuilder(UserSequenceEntity, 's').where({ id: SEQUENCE_ROW });
  await lockingRows(row).getOneOrFail();
  const administrators = await em.find(UserEntity, {
    select: { id: true },
    where: { role: 'admin', status: USER_ENABLED, password_hash: Not(IsNull()) },
    take: 2,
  });
  return administrators.length === 1 && administrators[0]?.id === userId;
}
