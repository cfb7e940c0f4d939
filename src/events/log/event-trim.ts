import { type DataSource, In } from 'typeorm';
import { tupleListOfChange } from '../../database/sql/dialect';
import { EventPayloadEntity } from '../entities/event-payload.entity';
import { EventEntity } from '../entities/event.entity';

/* Statements of the retention, which deletes events in batches. */

/** Deletes one batch of the events created before `before`, and returns their number. A run counts as one. */
export async function trimEvents(dataSource: DataSource, before: Date, batch: number): Promise<number> {
  const expired: { user_id: number; seq: number }[] = await dataSource
    .createQueryBuilder(EventEntity, 'event')
    .select(['event.user_id AS user_id', 'event.seq AS seq'])
    .where('event.created_at < :before', { before })
    .orderBy('event.created_at')
    .limit(batch)
    .getRawMany();
  if (expired.length === 0) return 0;
  await dataSource.query(
    `DELETE FROM events WHERE (user_id, seq) IN ${tupleListOfChange(dataSource.manager, expired, '?, ?')}`,
    expired.flatMap(({ user_id, seq }) => [user_id, seq]),
  );
  return expired.length;
}

/**
 * Deletes one batch of the shared texts created before `before`, and returns their number. Must run only after all
 * events of that age are deleted, so that no event refers to a deleted text.
 */
export async function trimPayloads(dataSource: DataSource, before: Date, batch: number): Promise<number> {
  const expired: { id: number }[] = await dataSource
    .createQueryBuilder(EventPayloadEntity, 'payload')
    .select('payload.id', 'id')
    .where('payload.created_at < :before', { before })
    .orderBy('payload.created_at')
    .limit(batch)
    .getRawMany();
  if (expired.length > 0)
    await dataSource.manager.delete(EventPayloadEntity, { id: In(expired.map(({ id }) => id)) });
  return expired.length;
}
