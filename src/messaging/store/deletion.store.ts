import type { EntityManager } from 'typeorm';
import { tupleList } from '../../database/sql/dialect';
import { insertRows } from '../../database/sql/statements';
import { MessageDeletionEntity } from '../entities/message-deletion.entity';
import type { SeqRange } from '../rules/history-range.rules';
import type { Membership } from './membership.store';

/* Messages that members have deleted for themselves. */

/**
 * Returns the numbers of the messages of a range that the member has deleted. Runs no query when `last_deleted_seq`
 * rules them out.
 */
export async function deletedIn(
  em: EntityManager,
  { conversation_id, user_id, last_deleted_seq }: Membership,
  { from, to }: SeqRange,
): Promise<ReadonlySet<number>> {
  if (last_deleted_seq < from) return new Set();
  const rows = await em.query<{ seq: number }[]>(
    'SELECT seq FROM message_deletions WHERE conversation_id = ? AND user_id = ? AND seq BETWEEN ? AND ?',
    [conversation_id, user_id, from, to],
  );
  return new Set(rows.map(({ seq }) => seq));
}

/** A message that a member may have deleted. */
export interface Deletion {
  conversation_id: number;
  user_id: number;
  seq: number;
}

/** Returns the deletions among these that exist. Runs no query for an empty list. */
export async function deletedAmong(em: EntityManager, candidates: readonly Deletion[]): Promise<Deletion[]> {
  if (candidates.length === 0) return [];
  return em.query<Deletion[]>(
    `SELECT conversation_id, user_id, seq FROM message_deletions
     WHERE (conversation_id, user_id, seq) IN ${tupleList(em, candidates, '?, ?, ?')}`,
    candidates.flatMap(({ conversation_id, user_id, seq }) => [conversation_id, user_id, seq]),
  );
}

/**
 * Deletes a message for a member who has not deleted it yet. The caller holds the conversation lock. Locks the member, also if
 * a later message was deleted before: the unread count that is read next must not be older than that of the last event.
 */
export async function deleteFor(
  em: EntityManager,
  { conversation_id, user_id }: Membership,
  seq: number,
): Promise<void> {
  await insertRows(em, MessageDeletionEntity, [{ conversation_id, user_id, seq }]);
  await em.query(
    `UPDATE conversation_members SET last_deleted_seq = CASE WHEN last_deleted_seq < ? THEN ? ELSE last_deleted_seq END
     WHERE conversation_id = ? AND user_id = ?`,
    [seq, seq, conversation_id, user_id],
  );
}
