import type { EntityManager } from 'typeorm';
import { placeholders } from '../../database/dialect';

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

/** Removes up to `limit` rows of an abandoned conversation; what is left last is the conversation itself. */
export async function removeSome(em: EntityManager, conversationId: number, limit: number): Promise<void> {
  if (await removeMessages(em, conversationId, limit)) return;
  for (const { table, key } of REST) if (await removeRows(em, table, key, conversationId, limit)) return;
  await em.query('DELETE FROM conversations WHERE id = ?', [conversationId]);
  await em.query('DELETE FROM abandoned_conversations WHERE conversation_id = ?', [conversationId]);
}

/** The oldest messages together with their ids; answers whether there were any. */
async function removeMessages(em: EntityManager, conversationId: number, limit: number): Promise<boolean> {
  const rows = await em.query<{ id: number; seq: number }[]>(
    'SELECT id, seq FROM messages WHERE conversation_id = ? ORDER BY seq LIMIT ?',
    [conversationId, limit],
  );
  const last = rows.at(-1);
  if (last === undefined) return false;
  const ids = rows.map(({ id }) => id);
  await em.query(`DELETE FROM message_ids WHERE id IN (${placeholders(ids)})`, ids);
  await em.query('DELETE FROM messages WHERE conversation_id = ? AND seq <= ?', [conversationId, last.seq]);
  return true;
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
