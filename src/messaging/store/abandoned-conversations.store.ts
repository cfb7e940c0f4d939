import type { EntityManager } from 'typeorm';
import { removeAvatarUses } from '../../attachments/store/avatar-uses.store';
import { lockingEnd, placeholders, type RawTimestamp, toDate } from '../../database/sql/dialect';
import { attachmentsIn, usedAttachmentIdsIn } from '../rules/message-attachments.rules';

/* Groups without members, and the removal of their rows in small transactions, so that no lock is held for long. */

/**
 * The tables besides `messages` that have rows of a conversation, each with its primary key after `conversation_id`.
 */
const DEPENDENT_TABLES = [
  { table: 'message_recalls', key: ['seq'] },
  { table: 'message_mentions', key: ['user_id', 'seq'] },
  { table: 'read_intervals', key: ['user_id', 'to_seq'] },
  { table: 'first_reads', key: ['to_seq'] },
  { table: 'first_read_gaps', key: ['to_seq'] },
  { table: 'message_deletions', key: ['user_id', 'seq'] },
  { table: 'message_notices', key: ['seq'] },
  { table: 'message_reactions', key: ['seq', 'emoji_key', 'user_id'] },
  { table: 'message_reaction_counts', key: ['seq', 'emoji_key'] },
  { table: 'message_filters', key: ['to_seq'] },
] as const;

/** A deleted message of an abandoned conversation. */
export interface RemovedMessage {
  id: number;
  sentAt: Date;
  /** Whether the message is a notice, which the service writes. */
  isNotice: boolean;
  /** Attachments of the message and their posters, whose uses end with it. */
  attachmentIds: number[];
}

/** Marks the conversation as abandoned if it has no members left. The caller holds the conversation lock. */
export async function markIfAbandoned(em: EntityManager, conversationId: number): Promise<void> {
  await em.query(
    `INSERT INTO abandoned_conversations (conversation_id)
     SELECT id FROM conversations WHERE id = ? AND member_count = 0`,
    [conversationId],
  );
}

/** Returns the abandoned conversation with the lowest id, or undefined when there is none. */
export async function nextAbandoned(em: EntityManager): Promise<number | undefined> {
  const [row] = await em.query<{ conversation_id: number }[]>(
    'SELECT conversation_id FROM abandoned_conversations ORDER BY conversation_id LIMIT 1',
  );
  return row?.conversation_id;
}

/**
 * Deletes up to `limit` rows of an abandoned conversation; its row in `conversations` is deleted last. Locks its row in
 * `abandoned_conversations`, so that only one transaction deletes from it at a time.
 * @returns the deleted messages; each message is returned by exactly one call, because callers count them
 */
export async function removeSome(
  em: EntityManager,
  conversationId: number,
  limit: number,
): Promise<RemovedMessage[]> {
  if (!(await lockAbandoned(em, conversationId))) return [];
  const messages = await removeMessages(em, conversationId, limit);
  if (messages.length > 0) return messages;
  for (const { table, key } of DEPENDENT_TABLES)
    if (await removeRows(em, table, key, conversationId, limit)) return [];
  await removeAvatarUses(em, 'conversation', [conversationId]);
  await em.query('DELETE FROM conversations WHERE id = ?', [conversationId]);
  await em.query('DELETE FROM abandoned_conversations WHERE conversation_id = ?', [conversationId]);
  return [];
}

/** Locks the row in `abandoned_conversations`, and returns false if the conversation has been deleted already. */
async function lockAbandoned(em: EntityManager, conversationId: number): Promise<boolean> {
  const rows = await em.query<object[]>(
    `SELECT conversation_id FROM abandoned_conversations WHERE conversation_id = ?${lockingEnd(em)}`,
    [conversationId],
  );
  return rows.length > 0;
}

interface RawRemoved {
  id: number;
  seq: number;
  created_at: RawTimestamp;
  notice: string | null;
  attachments: string | null;
}

/** Deletes the oldest messages with their rows in `message_ids`, and returns them. */
async function removeMessages(
  em: EntityManager,
  conversationId: number,
  limit: number,
): Promise<RemovedMessage[]> {
  const rows = await em.query<RawRemoved[]>(
    'SELECT id, seq, created_at, notice, attachments FROM messages WHERE conversation_id = ? ORDER BY seq LIMIT ?',
    [conversationId, limit],
  );
  const last = rows.at(-1);
  if (last === undefined) return [];
  const ids = rows.map(({ id }) => id);
  await em.query(`DELETE FROM message_ids WHERE id IN (${placeholders(ids)})`, ids);
  await em.query('DELETE FROM messages WHERE conversation_id = ? AND seq <= ?', [conversationId, last.seq]);
  return rows.map(({ id, created_at, notice, attachments }) => ({
    id,
    sentAt: toDate(created_at),
    isNotice: notice !== null,
    attachmentIds: usedAttachmentIdsIn(attachmentsIn(attachments)),
  }));
}

/**
 * Deletes the first rows of a table in key order, and returns whether there were any. Reads the last key to delete
 * first, because MySQL and SQLite have no DELETE with a LIMIT in common.
 */
async function removeRows(
  em: EntityManager,
  table: string,
  key: readonly string[],
  conversationId: number,
  limit: number,
): Promise<boolean> {
  const columns = key.join(', ');
  const rows = await em.query<Record<string, number | string>[]>(
    `SELECT ${columns} FROM ${table} WHERE conversation_id = ? ORDER BY ${columns} LIMIT ?`,
    [conversationId, limit],
  );
  const last = rows.at(-1);
  if (last === undefined) return false;
  const upTo = key.map((column, index) => {
    const before = key.slice(0, index).map((name) => `${name} = ?`);
    return [...before, `${column} ${index === key.length - 1 ? '<=' : '<'} ?`].join(' AND ');
  });
  await em.query(`DELETE FROM ${table} WHERE conversation_id = ? AND (${upTo.join(' OR ')})`, [
    conversationId,
    ...key.flatMap((_, index) => key.slice(0, index + 1).map((column) => last[column])),
  ]);
  return true;
}
