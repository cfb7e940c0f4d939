import type { EntityManager } from 'typeorm';
import { lockingEnd, placeholders, type RawMoment, toDate } from '../../database/dialect';

/* Groups without members, and the removal of what they leave behind, in steps that hold up nobody. */

/** Whatever is kept of a conversation besides its messages, each with the rest of its primary key. */
const REST = [
  { table: 'message_recalls', key: ['seq'] },
  { table: 'message_mentions', key: ['user_id', 'seq'] },
  { table: 'read_intervals', key: ['user_id', 'to_seq'] },
  { table: 'first_reads', key: ['to_seq'] },
  { table: 'first_read_gaps', key: ['to_seq'] },
  { table: 'message_deletions', key: ['user_id', 'seq'] },
  { table: 'message_notices', key: ['seq'] },
  { table: 'message_reactions', key: ['seq', 'emoji_key', 'user_id'] },
  { table: 'message_reaction_counts', key: ['seq', 'emoji_key'] },
] as const;

/** A message that has been removed. */
export interface RemovedMessage {
  id: number;
  sentAt: Date;
  /** Whether the service wrote it, and not people. */
  isNotice: boolean;
}

/** Notes that the conversation is abandoned if nobody is left in it. It is under its lock. */
export async function noteIfAbandoned(em: EntityManager, conversationId: number): Promise<void> {
  await em.query(
    `INSERT INTO abandoned_conversations (conversation_id)
     SELECT id FROM conversations WHERE id = ? AND member_count = 0`,
    [conversationId],
  );
}

/** The next abandoned conversation, or undefined when all have been removed. */
export async function nextAbandoned(em: EntityManager): Promise<number | undefined> {
  const [row] = await em.query<{ conversation_id: number }[]>(
    'SELECT conversation_id FROM abandoned_conversations ORDER BY conversation_id LIMIT 1',
  );
  return row?.conversation_id;
}

/**
 * Removes up to `limit` rows of an abandoned conversation; what is left last is the conversation itself. Until the transaction
 * ends nobody else removes any of it.
 * @returns the messages among them: each is answered to one, for they are counted
 */
export async function removeSome(
  em: EntityManager,
  conversationId: number,
  limit: number,
): Promise<RemovedMessage[]> {
  if (!(await holdAbandoned(em, conversationId))) return [];
  const messages = await removeMessages(em, conversationId, limit);
  if (messages.length > 0) return messages;
  for (const { table, key } of REST) if (await removeRows(em, table, key, conversationId, limit)) return [];
  await em.query('DELETE FROM conversations WHERE id = ?', [conversationId]);
  await em.query('DELETE FROM abandoned_conversations WHERE conversation_id = ?', [conversationId]);
  return [];
}

/** Whether it is still to be removed. */
async function holdAbandoned(em: EntityManager, conversationId: number): Promise<boolean> {
  const rows = await em.query<object[]>(
    `SELECT conversation_id FROM abandoned_conversations WHERE conversation_id = ?${lockingEnd(em)}`,
    [conversationId],
  );
  return rows.length > 0;
}

/** The oldest messages together with their ids; answers them. */
async function removeMessages(
  em: EntityManager,
  conversationId: number,
  limit: number,
): Promise<RemovedMessage[]> {
  const rows = await em.query<{ id: number; seq: number; created_at: RawMoment; notice: string | null }[]>(
    'SELECT id, seq, created_at, notice FROM messages WHERE conversation_id = ? ORDER BY seq LIMIT ?',
    [conversationId, limit],
  );
  const last = rows.at(-1);
  if (last === undefined) return [];
  const ids = rows.map(({ id }) => id);
  await em.query(`DELETE FROM message_ids WHERE id IN (${placeholders(ids)})`, ids);
  await em.query('DELETE FROM messages WHERE conversation_id = ? AND seq <= ?', [conversationId, last.seq]);
  return rows.map(({ id, created_at, notice }) => ({
    id,
    sentAt: toDate(created_at),
    isNotice: notice !== null,
  }));
}

/** The first rows of a table in the order of its key: MySQL and SQLite share no DELETE with a limit. */
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
    const before = key.slice(0, index).map((one) => `${one} = ?`);
    return [...before, `${column} ${index === key.length - 1 ? '<=' : '<'} ?`].join(' AND ');
  });
  await em.query(`DELETE FROM ${table} WHERE conversation_id = ? AND (${upTo.join(' OR ')})`, [
    conversationId,
    ...key.flatMap((_, index) => key.slice(0, index + 1).map((column) => last[column])),
  ]);
  return true;
}
