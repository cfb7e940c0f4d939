import { type DataSource, In } from 'typeorm';
import { tupleListOfChange } from '../../database/dialect';
import { EventPayloadEntity } from '../entities/event-payload.entity';
import { EventEntity } from '../entities/event.entity';

/* What the retention deletes, in batches, each a statement of its own. */

/** Deletes one batch of the events from before a moment; answers how many. */
export async function trimEvents(dataSource: DataSource, before: Date, batch: number): Promise<number> {
  const old: { user_id: number; seq: number }[] = await dataSource
    .createQueryBuilder(EventEntity, 'event')
    .select(['event.user_id AS user_id', 'event.seq AS seq'])
    .where('event.created_at < :before', { before })
    .orderBy('event.created_at')
    .limit(batch)
    .getRawMany();
  if (old.length === 0) return 0;
  await dataSource.query(
    `DELETE FROM events WHERE (user_id, seq) IN ${tupleListOfChange(dataSource.manager, old, '?, ?')}`,
    old.flatMap(({ user_id, seq }) => [user_id, seq]),
  );
  return old.length;
}

/**
 * Deletes one batch of what events from before a moment shared; only when no such event is left, so that none refers to
 * it. Answers how many.
 */
export async function trimPayloads(dataSource: DataSource, before: Date, batch: number): Promise<number> {
  const old: { id: number }[] = await dataSource
    .createQueryBuilder(EventPayloadEntity, 'payload')
    .select('payload.id', 'id')
    .where('payload.created_at < :before', { before })
    .orderBy('payload.created_at')
    .limit(batch)
    .getRawMany();
  if (old.length > 0)
    await dataSource.manager.delete(EventPayloadEntity, { id: In(old.map(({ id }) => id)) });
  return old.length;
}
