import { EVERYBODY } from '../rules/mentions';
import type { EntityManager } from 'typeorm';
import {
  byPrimaryKey,
  lockingShared,
  lockingUnion,
  placeholders,
  type RawMoment,
} from '../../database/dialect';

/*
 * Reading how the members of a conversation stand to it. `m` is the member's row, `c` the conversation's.
 */

/**
 * Notices after one's position, which nobody has to read: all of them but those up to there, of which the last one knows
 * how many they are. Nothing is looked up where the newest one lies behind.
 */
const NOTICES_AHEAD = `CASE WHEN c.last_notice_seq <= m.read_seq THEN 0 ELSE c.notice_count - COALESCE(
    (SELECT a.n FROM message_notices a WHERE a.conversation_id = m.conversation_id AND a.seq <= m.read_seq
     ORDER BY a.seq DESC LIMIT 1), 0) END`;

/** What else comes after one's position is others' (sending moves it), so only recalled messages are taken off. */
export const UNREAD = `c.max_seq - m.read_seq - m.recalled_ahead - ${NOTICES_AHEAD}`;

/** The newest message that mentions the member, by name or with everybody; 0 when there is none. */
const MENTION_SEQ = `CASE WHEN m.last_mention_seq > c.last_mention_all_seq THEN m.last_mention_seq
  ELSE c.last_mention_all_seq END`;

/** The same among those after the position, less what the member has deleted for oneself. */
const MENTION_LEFT = `(SELECT MAX(n.seq) FROM message_mentions n
   WHERE n.conversation_id = m.conversation_id AND n.user_id IN (m.user_id, ${EVERYBODY}) AND n.seq > m.read_seq
     AND NOT EXISTS (SELECT 1 FROM message_deletions d
       WHERE d.conversation_id = n.conversation_id AND d.user_id = m.user_id AND d.seq = n.seq))`;

/** The newest unread message that mentions the member; null when there is none (contract 16.3). */
export const MENTION_ID = `CASE WHEN m.last_mention_seq > m.read_seq OR c.last_mention_all_seq > m.read_seq
  THEN (SELECT n.id FROM messages n WHERE n.conversation_id = m.conversation_id
    AND n.seq = CASE WHEN m.last_deleted_seq > m.read_seq THEN ${MENTION_LEFT} ELSE ${MENTION_SEQ} END) END`;

/** The members of a conversation, or those among some users, as a condition. */
export function ofMembers(conversationId: number, userIds?: number[]): { sql: string; parameters: number[] } {
  if (userIds === undefined) return { sql: 'm.conversation_id = ?', parameters: [conversationId] };
  const sql = `m.conversation_id = ? AND m.user_id IN (${placeholders(userIds)})`;
  return { sql, parameters: [conversationId, ...userIds] };
}

/** How a member stands to a conversation at this moment. */
export interface ListeningMember {
  user_id: number;
  unread_count: number;
  /** The newest message when the member hid the conversation; the next one brings it back. */
  hidden_seq: number;
  /** The last event of a large group that is not this member's to hear. */
  hears_after: number;
  /** The first message that the member sees. */
  join_seq: number;
  mention_id: number | null;
  /** Up to here the member has cleared the history for oneself. */
  cleared_seq: number;
  /** The highest number that the member has deleted for oneself. */
  last_deleted_seq: number;
}

/** The states of all members of a conversation, or of some of them. */
export async function listeningMembers(
  em: EntityManager,
  conversationId: number,
  userIds?: number[],
): Promise<ListeningMember[]> {
  const members = ofMembers(conversationId, userIds);
  return em.query<ListeningMember[]>(
    `SELECT m.user_id, m.hidden_seq, m.hears_after, m.join_seq, m.cleared_seq, m.last_deleted_seq,
       ${UNREAD} AS unread_count, ${MENTION_ID} AS mention_id FROM conversation_members m
     JOIN conversations c ON c.id = m.conversation_id WHERE ${members.sql}`,
    members.parameters,
  );
}

/**
 * Waits for whoever is changing these members' rows. What they have counted may be older than what was read here
 * already; once they are through, it has been told.
 */
export async function awaitMembers(
  em: EntityManager,
  conversationId: number,
  userIds: number[],
): Promise<void> {
  const members = ofMembers(conversationId, userIds);
  await em.query(
    `SELECT m.read_seq FROM conversation_members m WHERE ${members.sql}${lockingShared(em)}`,
    members.parameters,
  );
}

/** A member's row that counts, held. */
export interface HeldMember {
  user_id: number;
  read_seq: number;
  muted: number;
  mute_until: RawMoment | null;
  hidden: number;
  pulled: number;
  unread_count: number;
}

/** The members of a conversation, or those among some users, holding their rows. The conversation is under its lock. */
export async function heldMembers(
  em: EntityManager,
  conversationId: number,
  userIds?: number[],
): Promise<HeldMember[]> {
  const members = ofMembers(conversationId, userIds);
  const select = `SELECT m.user_id, m.read_seq, m.muted, m.mute_until, m.hidden, m.pulled, ${UNREAD} AS unread_count
    FROM conversations c JOIN conversation_members m ${byPrimaryKey(em)} ON m.conversation_id = c.id
    WHERE ${members.sql}`;
  return em.query<HeldMember[]>(lockingUnion(em, [select]), members.parameters);
}

/** Who is in a conversation. */
export async function memberIdsOf(em: EntityManager, conversationId: number): Promise<number[]> {
  const rows = await em.query<{ user_id: number }[]>(
    'SELECT user_id FROM conversation_members WHERE conversation_id = ?',
    [conversationId],
  );
  return rows.map(({ user_id }) => user_id);
}

/** A user's large groups, and from where on the user hears of them. */
export async function fanOutOnReadGroupsOf(
  em: EntityManager,
  userIds: number[],
): Promise<{ user_id: number; conversation_id: number; hears_after: number }[]> {
  return em.query(
    `SELECT user_id, conversation_id, hears_after FROM conversation_members
     WHERE pulled = 1 AND user_id IN (${placeholders(userIds)})`,
    userIds,
  );
}
