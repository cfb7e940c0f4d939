import type { DataSource } from 'typeorm';
import { placeholders, toSqlTimestamp, tupleListOfChange } from '../../database/sql/dialect';

/* Statements of the retention, which deletes events in batches. */

/** Deletes one batch of the events created before `before`, and returns their number. A run counts as one. */
export async function trimEvents(dataSource: DataSource, before: Date, batch: number): Promise<number> {
  const expired: { user_id: number; seq: number }[] = await dataSource.query(
    'SELECT user_id, seq FROM events WHERE created_at < ? ORDER BY created_at LIMIT ?',
    [toSqlTimestamp(dataSource.manager, before), batch],
  );
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
  const expired: { id: number }[] = await dataSource.query(
    'SELECT id FROM event_payloads WHERE created_at < ? ORDER BY created_at LIMIT ?',
    [toSqlTimestamp(dataSource.manager, before), batch],
  );
  const ids = expired.map(({ id }) => id);
  if (ids.length > 0)
    await dataSource.query(`DELETE FROM event_payloads WHERE id IN (${placeholders(ids)})`, ids);
  return ids.length;
}
