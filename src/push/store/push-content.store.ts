import type { EntityManager } from 'typeorm';
import {
  forcePrimaryKey,
  placeholders,
  type RawTimestamp,
  straightJoin,
  toDate,
  toSqlTimestamp,
  tupleList,
} from '../../database/sql/dialect';
import { UNREAD } from '../../messaging/store/membership.store';
import type { PushedCall, PushedMessage } from '../rules/pushed-objects.rules';

/* Reads what pushes contain, at the moment of sending, for many pushes at once. */

type RawCall = Omit<PushedCall, 'ring_expires_at'> & { ring_expires_at: RawTimestamp };

export async function pushedCalls(
  em: EntityManager,
  ids: readonly number[],
): Promise<Map<number, PushedCall>> {
  const rows = await em.query<RawCall[]>(
    `SELECT id, caller_id, callee_id, media_type, status, end_reason, version, channel_name, answered_terminal_id,
       ring_expires_at FROM calls WHERE id IN (${placeholders(ids)})`,
    [...ids],
  );
  return new Map(rows.map((row) => [row.id, { ...row, ring_expires_at: toDate(row.ring_expires_at) }]));
}

/**
 * Returns the newest unread messages of members who have not muted the conversation: not their own, not recalled, not a
 * notice, and not deleted by the member. Members without one are missing. Reads neither the other members of a
 * conversation nor its older messages: the tables are joined in this order, and the newest message of a conversation with
 * unread ones is found by the primary key. MariaDB estimates from samples, and after some of them it would sort all messages
 * of the conversation instead.
 */
export async function pushedMessages(
  em: EntityManager,
  members: readonly { conversation_id: number; user_id: number }[],
  now: Date,
): Promise<PushedMessage[]> {
  return em.query<PushedMessage[]>(
    `SELECT n.conversation_id, n.user_id, n.unread_count, n.conversation_type, n.title, x.id, x.sender_id, x.type, x.content
     FROM (SELECT m.conversation_id, m.user_id, ${UNREAD} AS unread_count, c.type AS conversation_type, c.name AS title,
       CASE WHEN c.max_seq > m.read_seq THEN (SELECT y.seq FROM messages y ${forcePrimaryKey(em)}
        WHERE y.conversation_id = m.conversation_id AND y.seq > m.read_seq
          AND y.seq > m.cleared_seq AND y.sender_id <> m.user_id AND y.recalled_at IS NULL AND y.notice IS NULL
          AND NOT EXISTS (SELECT 1 FROM message_deletions d WHERE d.conversation_id = y.conversation_id
            AND d.user_id = m.user_id AND d.seq = y.seq)
        ORDER BY y.seq DESC LIMIT 1) END AS newest
       FROM conversation_members m ${forcePrimaryKey(em)}
       ${straightJoin(em)} conversations c ON c.id = m.conversation_id
       WHERE (m.conversation_id, m.user_id) IN ${tupleList(em, members, '?, ?')}
         AND (m.muted = 0 OR m.mute_until <= ?)) n
     ${straightJoin(em)} messages x ON x.conversation_id = n.conversation_id AND x.seq = n.newest`,
    [
      ...members.flatMap(({ conversation_id, user_id }) => [conversation_id, user_id]),
      toSqlTimestamp(em, now),
    ],
  );
}
