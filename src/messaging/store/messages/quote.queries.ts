import type { EntityManager } from 'typeorm';
import { placeholders } from '../../../database/dialect';
import { extraOf } from '../../rules/message-content';
import type { Quoted } from '../../rules/quotes';
import type { Message } from '../message.queries';

type RawQuoted = Omit<Quoted, 'extra' | 'is_recalled'> & {
  seq: number;
  extra: string | null;
  is_recalled: number;
};

/**
 * What the messages of a page answer, by its number: what is on the page is known already, all else is asked for with one
 * statement, and nothing where no message answers another. Read from the originals each time, so that a quote never
 * outlives what it quotes.
 */
export async function quotedBy(em: EntityManager, page: readonly Message[]): Promise<Map<number, Quoted>> {
  const [first] = page;
  const wanted = new Set(page.flatMap(({ reply_seq }) => (reply_seq === null ? [] : [reply_seq])));
  if (first === undefined || wanted.size === 0) return new Map();
  const known = new Map<number, Quoted>(
    page.filter(({ seq }) => wanted.has(seq)).map((message) => [message.seq, message]),
  );
  const asked = [...wanted].filter((seq) => !known.has(seq));
  if (asked.length === 0) return known;
  const rows = await em.query<RawQuoted[]>(
    `SELECT m.seq, m.id, m.sender_id, u.name AS sender_name, m.type, SUBSTR(m.content, 1, 100) AS content,
       CASE WHEN m.type = 'text' THEN NULL ELSE m.extra END AS extra, m.recalled_at IS NOT NULL AS is_recalled
     FROM messages m LEFT JOIN users u ON u.id = m.sender_id
     WHERE m.conversation_id = ? AND m.seq IN (${placeholders(asked)})`,
    [first.conversation_id, ...asked],
  );
  for (const { seq, extra, is_recalled, ...row } of rows)
    known.set(seq, { ...row, extra: extraOf(extra), is_recalled: Boolean(is_recalled) });
  return known;
}
