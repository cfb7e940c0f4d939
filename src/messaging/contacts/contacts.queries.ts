import type { EntityManager } from 'typeorm';
import type { ConversationId } from '../../common/ids';
import { byPrimaryKey, placeholders, tupleList } from '../../database/dialect';
import type { Pair, Place } from '../../people/acquaintances';
import { blockedBetween } from '../../people/blocks/blocks.queries';
import { FAN_OUT_ON_WRITE_LIMIT } from '../store/membership-changes';
import { singleKey } from '../store/membership';

/* Who is in a conversation with whom. `m` is a member's row, `c` the conversation's. */

/** The single chat of two users, if there is one. */
export async function singleChatOf(em: EntityManager, a: number, b: number): Promise<number | null> {
  const [row] = await em.query<{ id: number }[]>('SELECT id FROM conversations WHERE single_key = ?', [
    singleKey(a, b),
  ]);
  return row?.id ?? null;
}

/** For each of some pairs, in their order, whether they have a single chat. */
export async function haveSingleChats(em: EntityManager, pairs: readonly Pair[]): Promise<boolean[]> {
  if (pairs.length === 0) return [];
  const keys = pairs.map(({ userId, otherId }) => singleKey(userId, otherId));
  const rows = await em.query<{ single_key: string }[]>(
    `SELECT single_key FROM conversations WHERE single_key IN (${placeholders(keys)})`,
    keys,
  );
  const found = new Set(rows.map(({ single_key }) => single_key));
  return keys.map((key) => found.has(key));
}

/**
 * The members of a conversation, by id, none where they are more than 200, nor are these read; undefined when the user is
 * not one of them.
 */
export async function smallGroupOf(
  em: EntityManager,
  userId: number,
  conversationId: number,
): Promise<number[] | undefined> {
  const rows = await em.query<{ user_id: number | null }[]>(
    `SELECT o.user_id FROM conversation_members m
     JOIN conversations c ON c.id = m.conversation_id
     LEFT JOIN conversation_members o ON o.conversation_id = CASE WHEN c.member_count <= ? THEN c.id END
     WHERE m.conversation_id = ? AND m.user_id = ? ORDER BY o.user_id`,
    [FAN_OUT_ON_WRITE_LIMIT, conversationId, userId],
  );
  return rows.length === 0 ? undefined : rows.flatMap(({ user_id }) => user_id ?? []);
}

const keyOf = ({ conversationId, userId }: Place): string => `${conversationId}:${userId}`;

/**
 * For each of some places, in their order, whether the user is a member there and the members are 200 at most. Left to
 * choose between indexes, MariaDB weighs every place against every other one, which takes it longer than to look.
 */
export async function areInSmallGroups(em: EntityManager, places: readonly Place[]): Promise<boolean[]> {
  if (places.length === 0) return [];
  const wanted = [...new Map(places.map((place) => [keyOf(place), place])).values()];
  const rows = await em.query<{ conversation_id: number; user_id: number }[]>(
    `SELECT m.conversation_id, m.user_id FROM conversation_members m ${byPrimaryKey(em)}
     JOIN conversations c ON c.id = m.conversation_id
     WHERE c.member_count <= ? AND (m.conversation_id, m.user_id) IN ${tupleList(em, wanted, '?, ?')}`,
    [FAN_OUT_ON_WRITE_LIMIT, ...wanted.flatMap(({ conversationId, userId }) => [conversationId, userId])],
  );
  const found = new Set(rows.map(({ conversation_id, user_id }) => `${conversation_id}:${user_id}`));
  return places.map((place) => found.has(keyOf(place)));
}

/** Those of some users, at least one, who are in any conversation together with a user. */
export async function metBy(em: EntityManager, userId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await em.query<{ user_id: number | string }[]>(
    `SELECT DISTINCT o.user_id FROM conversation_members m
     JOIN conversation_members o ON o.conversation_id = m.conversation_id AND o.user_id IN (${placeholders(ids)})
     WHERE m.user_id = ?`,
    [...ids, userId],
  );
  return rows.map(({ user_id }) => Number(user_id));
}

/** What opening the single chat of two users must know. */
export interface SingleChatStart {
  /** The chat, if there is one. */
  id: ConversationId | null;
  /** Whether there is such a peer. */
  isKnown: boolean;
  /** Whether either has blocked the other. */
  isBlocked: boolean;
}

/** That, with one statement. */
export async function singleChatStart(
  em: EntityManager,
  userId: number,
  peerId: number,
): Promise<SingleChatStart> {
  const [row] = await em.query<{ id: ConversationId | null; known: number; blocked: number }[]>(
    `SELECT (SELECT id FROM conversations WHERE single_key = ?) AS id,
       EXISTS (SELECT 1 FROM users WHERE id = ?) AS known, ${blockedBetween('?', '?')} AS blocked`,
    [singleKey(userId, peerId), peerId, userId, peerId, peerId, userId],
  );
  return { id: row?.id ?? null, isKnown: Boolean(row?.known), isBlocked: Boolean(row?.blocked) };
}
