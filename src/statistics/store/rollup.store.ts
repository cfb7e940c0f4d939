import type { EntityManager } from 'typeorm';
import {
  type RawCount,
  type RawTimestamp,
  toCount,
  toDate,
  toSqlTimestamp,
} from '../../database/sql/dialect';

/* Rows that the rollup counts by position: messages by id, users by creation time. */

/** A page of rows, ordered by position. */
export interface RollupPage {
  /** Creation times in milliseconds since 1970, each with the number of rows to count. */
  made: { at: number; count: number }[];
  /** Position of the last row; undefined for an empty page. */
  last: number | undefined;
}

/** A range of positions: `after` excluded, `upTo` included. */
export interface IdRange {
  after: number;
  upTo: number;
}

/** Returns the highest message id; 0 without messages. */
export async function lastMessageId(em: EntityManager): Promise<number> {
  const [row] = await em.query<{ id: RawCount }[]>('SELECT MAX(id) AS id FROM message_ids');
  return toCount(row?.id);
}

/**
 * Reads up to `limit` messages of a range. System messages and deleted ones advance the position, but are not counted.
 */
export async function messagesInRange(
  em: EntityManager,
  { after, upTo }: IdRange,
  limit: number,
): Promise<RollupPage> {
  const rows = await em.query<{ id: number; created_at: RawTimestamp | null; notices: RawCount }[]>(
    `SELECT i.id, m.created_at, CASE WHEN m.notice IS NULL THEN 0 ELSE 1 END AS notices
     FROM (SELECT id, conversation_id, seq FROM message_ids WHERE id > ? AND id <= ? ORDER BY id LIMIT ?) i
     LEFT JOIN messages m ON m.conversation_id = i.conversation_id AND m.seq = i.seq ORDER BY i.id`,
    [after, upTo, limit],
  );
  const made = rows.flatMap(({ created_at, notices }) =>
    created_at === null || toCount(notices) === 1 ? [] : [{ at: toDate(created_at).getTime(), count: 1 }],
  );
  return { made, last: rows.at(-1)?.id };
}

/** Reads up to `limit` different creation times of users in a range, in milliseconds since 1970. */
export async function usersInRange(
  em: EntityManager,
  { after, upTo }: IdRange,
  limit: number,
): Promise<RollupPage> {
  const rows = await em.query<{ created_at: RawTimestamp; users: RawCount }[]>(
    `SELECT created_at, COUNT(*) AS users FROM users WHERE created_at > ? AND created_at <= ?
     GROUP BY created_at ORDER BY created_at LIMIT ?`,
    [toSqlTimestamp(em, new Date(after)), toSqlTimestamp(em, new Date(upTo)), limit],
  );
  const made = rows.map(({ created_at, users }) => ({
    at: toDate(created_at).getTime(),
    count: toCount(users),
  }));
  return { made, last: made.at(-1)?.at };
}
