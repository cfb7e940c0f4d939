import type { EntityManager } from 'typeorm';
import { type RawCount, type RawMoment, toCount, toDate, toMoment } from '../../database/dialect';

/* What is counted by walking along it: messages by their ids, users by when they were made. */

/** Some of them, in order. */
export interface Page {
  /** When they were made, in milliseconds since 1970, and how many were at that moment. */
  made: { at: number; count: number }[];
  /** The position of the last one; undefined where there is none. */
  last: number | undefined;
}

/** The part of a walk between two positions: after the one, and up to the other. */
export interface Stretch {
  after: number;
  upTo: number;
}

/** The highest id that a message has. */
export async function lastMessageId(em: EntityManager): Promise<number> {
  const [row] = await em.query<{ id: RawCount }[]>('SELECT MAX(id) AS id FROM message_ids');
  return toCount(row?.id);
}

/** Up to `most` messages of a stretch; what the service itself has written counts for the way, not for the number. */
export async function messagesAlong(
  em: EntityManager,
  { after, upTo }: Stretch,
  most: number,
): Promise<Page> {
  const rows = await em.query<{ id: number; created_at: RawMoment | null; notices: RawCount }[]>(
    `SELECT i.id, m.created_at, CASE WHEN m.notice IS NULL THEN 0 ELSE 1 END AS notices
     FROM (SELECT id, conversation_id, seq FROM message_ids WHERE id > ? AND id <= ? ORDER BY id LIMIT ?) i
     LEFT JOIN messages m ON m.conversation_id = i.conversation_id AND m.seq = i.seq ORDER BY i.id`,
    [after, upTo, most],
  );
  const made = rows.flatMap(({ created_at, notices }) =>
    created_at === null || toCount(notices) === 1 ? [] : [{ at: toDate(created_at).getTime(), count: 1 }],
  );
  return { made, last: rows.at(-1)?.id };
}

/** Up to `most` moments of a stretch, in milliseconds since 1970, at which users were made. */
export async function usersAlong(em: EntityManager, { after, upTo }: Stretch, most: number): Promise<Page> {
  const rows = await em.query<{ created_at: RawMoment; users: RawCount }[]>(
    `SELECT created_at, COUNT(*) AS users FROM users WHERE created_at > ? AND created_at <= ?
     GROUP BY created_at ORDER BY created_at LIMIT ?`,
    [toMoment(em, new Date(after)), toMoment(em, new Date(upTo)), most],
  );
  const made = rows.map(({ created_at, users }) => ({
    at: toDate(created_at).getTime(),
    count: toCount(users),
  }));
  return { made, last: made.at(-1)?.at };
}
