import type { EntityManager } from 'typeorm';
import { placeholders } from '../../database/sql/dialect';
import { extraOf } from '../rules/message-content.rules';
import type { Quoted } from '../rules/message-display.rules';
import type { MessageRow } from './message.store';

type RawQuoted = Omit<Quoted, 'extra' | 'is_recalled'> & {
  seq: number;
  extra: string | null;
  is_recalled: number;
};

/**
 * Returns the messages that the messages of a page reply to, by their number. Those on the page are not read again; the
 * others are read with one statement, and without replies there is no query. The originals are read each time, so that
 * no quote outlives its original.
 */
export async function quotedBy(em: EntityManager, page: readonly MessageRow[]): Promise<Map<number, Quoted>> {
  const [first] = page;
  const wanted = new Set(page.flatMap(({ reply_seq }) => (reply_seq === null ? [] : [reply_seq])));
  if (first === undefined || wanted.size === 0) return new Map();
  const quoted = new Map<number, Quoted>(
    page.filter(({ seq }) => wanted.has(seq)).map((message) => [message.seq, message]),
  );
  const missing = [...wanted].filter((seq) => !quoted.has(seq));
  if (missing.length === 0) return quoted;
  const rows = await em.query<RawQuoted[]>(
    `SELECT m.seq, m.id, m.sender_id, u.name AS sender_name, m.type, SUBSTR(m.content, 1, 100) AS content,
       CASE WHEN m.type = 'text' THEN NULL ELSE m.extra END AS extra, m.recalled_at IS NOT NULL AS is_recalled
     FROM messages m LEFT JOIN users u ON u.id = m.sender_id
     WHERE m.conversation_id = ? AND m.seq IN (${placeholders(missing)})`,
    [first.conversation_id, ...missing],
  );
  for (const { seq, extra, is_recalled, ...row } of rows)
    quoted.set(seq, { ...row, extra: extraOf(extra), is_recalled: Boolean(is_recalled) });
  return quoted;
}
