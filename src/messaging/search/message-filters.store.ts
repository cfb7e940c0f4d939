import type { EntityManager } from 'typeorm';
import type { ConversationId } from '../../common/ids';
import { placeholders } from '../../database/sql/dialect';
import { insertRows } from '../../database/sql/statements';
import { MessageFilterEntity } from '../entities/message-filter.entity';
import { foldCharacters } from './folded-text.rules';
import { addPairs, pairsOf, type RangeFilter } from './pair-filter.rules';

/* Writes the filters of the search. */

/** A conversation that has enough messages without a filter. */
export interface Unfiltered {
  conversation_id: ConversationId;
  /** Number of the last message with a filter; 0 if there is none. */
  filtered_seq: number;
  max_seq: number;
}

/**
 * Returns the conversations among `ids` with at least `minimum` messages after their last filter. Groups that are being
 * removed are left out: their filters may have been deleted already.
 */
export async function unfilteredAmong(
  em: EntityManager,
  ids: readonly number[],
  minimum: number,
): Promise<Unfiltered[]> {
  if (ids.length === 0) return [];
  return em.query<Unfiltered[]>(
    `SELECT conversation_id, filtered_seq, max_seq FROM (
       SELECT c.id AS conversation_id, c.max_seq,
         COALESCE((SELECT MAX(f.to_seq) FROM message_filters f WHERE f.conversation_id = c.id), 0) AS filtered_seq
       FROM conversations c WHERE c.id IN (${placeholders(ids)}) AND c.member_count > 0
     ) candidates WHERE max_seq - filtered_seq >= ?`,
    [...ids, minimum],
  );
}

/** Returns ids of conversations with at least `minimum` messages, ascending after an id. */
export async function conversationsAfter(
  em: EntityManager,
  id: number,
  { minimum, limit }: { minimum: number; limit: number },
): Promise<number[]> {
  const rows = await em.query<{ id: number; max_seq: number }[]>(
    `SELECT id, max_seq FROM conversations WHERE id > ? AND max_seq >= ? ORDER BY id LIMIT ${limit}`,
    [id, minimum],
  );
  return rows.map((row) => row.id);
}

/** Inserts filters. The caller holds the conversation lock, so no other instance builds them at the same time. */
export async function insertFilters(
  em: EntityManager,
  conversation_id: ConversationId,
  filters: readonly RangeFilter[],
): Promise<void> {
  const rows = filters.map(({ from, to, bits }) => ({
    conversation_id,
    from_seq: from,
    to_seq: to,
    bits: Buffer.from(bits),
  }));
  if (rows.length > 0) await insertRows(em, MessageFilterEntity, rows);
}

/** Adds a new text of a message to its filter, if it has one. The caller holds the conversation lock. */
export async function addToFilter(
  em: EntityManager,
  { conversation_id, seq }: { conversation_id: number; seq: number },
  text: string,
): Promise<void> {
  const [row] = await em.query<{ to_seq: number; from_seq: number; bits: Uint8Array }[]>(
    `SELECT to_seq, from_seq, bits FROM message_filters WHERE conversation_id = ? AND to_seq >= ?
     ORDER BY to_seq LIMIT 1`,
    [conversation_id, seq],
  );
  if (row === undefined || row.from_seq > seq) return;
  addPairs(row.bits, pairsOf(foldCharacters(text)));
  await em.query('UPDATE message_filters SET bits = ? WHERE conversation_id = ? AND to_seq = ?', [
    row.bits,
    conversation_id,
    row.to_seq,
  ]);
}
