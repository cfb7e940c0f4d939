import type { EntityManager } from 'typeorm';
import type { ConversationId } from '../../common/ids';
import { forcePrimaryKey, placeholders, tupleList } from '../../database/sql/dialect';
import type { Pair, ConversationUser } from '../../people/contact-graph';
import { blockedBetween } from '../../people/blocks/blocks.store';
import { FAN_OUT_ON_WRITE_LIMIT } from '../store/membership-changes.store';
import { singleKey } from '../store/membership.store';

/* Queries for users who share a conversation. `m` is a member's row, `c` the conversation's. */

/** Returns for each pair of users, in order, whether they have a single chat. */
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
 * Returns the ids of the members of a conversation, ascending. Empty if it has more than 200 members, which are not
 * read then. Undefined if the user is not a member.
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

const keyOf = ({ conversationId, userId }: ConversationUser): string => `${conversationId}:${userId}`;

/**
 * Returns for each user and conversation, in order, whether the user is a member and the conversation has at most 200
 * members. Forces the primary key: when MariaDB chooses between indexes it compares every row of the list with every
 * other, which takes longer than the look-ups.
 */
export async function areInSmallGroups(
  em: EntityManager,
  places: readonly ConversationUser[],
): Promise<boolean[]> {
  if (places.length === 0) return [];
  const wanted = [...new Map(places.map((place) => [keyOf(place), place])).values()];
  const rows = await em.query<{ conversation_id: number; user_id: number }[]>(
    `SELECT m.conversation_id, m.user_id FROM conversation_members m ${forcePrimaryKey(em)}
     JOIN conversations c ON c.id = m.conversation_id
     WHERE c.member_count <= ? AND (m.conversation_id, m.user_id) IN ${tupleList(em, wanted, '?, ?')}`,
    [FAN_OUT_ON_WRITE_LIMIT, ...wanted.flatMap(({ conversationId, userId }) => [conversationId, userId])],
  );
  const found = new Set(rows.map(({ conversation_id, user_id }) => `${conversation_id}:${user_id}`));
  return places.map((place) => found.has(keyOf(place)));
}

/** Returns those of `ids`, at least one, who share a conversation with the user. */
export async function metBy(em: EntityManager, userId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await em.query<{ user_id: number | string }[]>(
    `SELECT DISTINCT o.user_id FROM conversation_members m
     JOIN conversation_members o ON o.conversation_id = m.conversation_id AND o.user_id IN (${placeholders(ids)})
     WHERE m.user_id = ?`,
    [...ids, userId],
  );
  return rows.map(({ user_id }) => Number(user_id));
}

/** The data that opening the single chat of two users depends on. */
export interface SingleChatStart {
  /** Id of the chat; null when there is none. */
  id: ConversationId | null;
  /** Whether the peer exists. */
  isKnown: boolean;
  /** Whether one of the users has blocked the other. */
  isBlocked: boolean;
}

/** Reads the data for opening a single chat with one statement. */
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
