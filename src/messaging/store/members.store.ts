import type { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { EVERYBODY } from '../rules/mentions.rules';
import { UNREAD } from './membership.store';
import type { EntityManager } from 'typeorm';
import {
  forcePrimaryKey,
  lockingShared,
  lockingUnion,
  placeholders,
  type RawTimestamp,
} from '../../database/sql/dialect';

/* Queries for the state of the members of a conversation. `m` is the member's row, `c` the conversation's. */

/** Number of the newest message that mentions the member by name or mentions everybody; 0 when there is none. */
const MENTION_SEQ = `CASE WHEN m.last_mention_seq > c.last_mention_all_seq THEN m.last_mention_seq
  ELSE c.last_mention_all_seq END`;

/**
 * Number of the newest message after the read position that mentions the member and that the member has not deleted.
 */
const MENTION_LEFT = `(SELECT MAX(n.seq) FROM message_mentions n
   WHERE n.conversation_id = m.conversation_id AND n.user_id IN (m.user_id, ${EVERYBODY}) AND n.seq > m.read_seq
     AND NOT EXISTS (SELECT 1 FROM message_deletions d
       WHERE d.conversation_id = n.conversation_id AND d.user_id = m.user_id AND d.seq = n.seq))`;

/** Id of the newest unread message that mentions the member; null when there is none (API 8.5). */
export const MENTION_ID = `CASE WHEN m.last_mention_seq > m.read_seq OR c.last_mention_all_seq > m.read_seq
  THEN (SELECT n.id FROM messages n WHERE n.conversation_id = m.conversation_id
    AND n.seq = CASE WHEN m.last_deleted_seq > m.read_seq THEN ${MENTION_LEFT} ELSE ${MENTION_SEQ} END) END`;

/**
 * Returns a condition for the members of a conversation; all members when `userIds` is undefined. Statements need
 * `forcePrimaryKey`.
 */
export function ofMembers(conversationId: number, userIds?: number[]): { sql: string; parameters: number[] } {
  if (userIds === undefined) return { sql: 'm.conversation_id = ?', parameters: [conversationId] };
  const sql = `m.conversation_id = ? AND m.user_id IN (${placeholders(userIds)})`;
  return { sql, parameters: [conversationId, ...userIds] };
}

/** The state of a member of a conversation that events depend on. */
export interface ListeningMember extends Pick<
  ConversationMemberEntity,
  'user_id' | 'hidden_seq' | 'hears_after' | 'join_seq' | 'cleared_seq' | 'last_deleted_seq'
> {
  unread_count: number;
  mention_id: number | null;
}

/** Returns the states of those of the users who are members of a conversation. */
export async function listeningMembers(
  em: EntityManager,
  conversationId: number,
  userIds: number[],
): Promise<ListeningMember[]> {
  const members = ofMembers(conversationId, userIds);
  return em.query<ListeningMember[]>(
    `SELECT m.user_id, m.hidden_seq, m.hears_after, m.join_seq, m.cleared_seq, m.last_deleted_seq,
       ${UNREAD} AS unread_count, ${MENTION_ID} AS mention_id FROM conversation_members m ${forcePrimaryKey(em)}
     JOIN conversations c ON c.id = m.conversation_id WHERE ${members.sql}`,
    members.parameters,
  );
}

/**
 * Waits for the transactions that are changing these members' rows, by reading the rows in share mode. Such a
 * transaction may have counted from an older state than the one read here; once it has committed, the events with its
 * counts are written.
 */
export async function awaitMembers(
  em: EntityManager,
  conversationId: number,
  userIds: number[],
): Promise<void> {
  const members = ofMembers(conversationId, userIds);
  await em.query(
    `SELECT m.read_seq FROM conversation_members m ${forcePrimaryKey(em)} WHERE ${members.sql}${lockingShared(em)}`,
    members.parameters,
  );
}

/** A locked member's row, with the columns that its counts depend on. */
export interface LockedMember {
  user_id: number;
  read_seq: number;
  muted: number;
  mute_until: RawTimestamp | null;
  hidden: number;
  pulled: number;
  unread_count: number;
}

/**
 * Locks the rows of the members of a conversation and returns them; all members when `userIds` is undefined. The caller
 * holds the conversation lock.
 */
export async function lockMembers(
  em: EntityManager,
  conversationId: number,
  userIds?: number[],
): Promise<LockedMember[]> {
  const members = ofMembers(conversationId, userIds);
  const select = `SELECT m.user_id, m.read_seq, m.muted, m.mute_until, m.hidden, m.pulled, ${UNREAD} AS unread_count
    FROM conversations c JOIN conversation_members m ${forcePrimaryKey(em)} ON m.conversation_id = c.id
    WHERE ${members.sql}`;
  return em.query<LockedMember[]>(lockingUnion(em, [select]), members.parameters);
}

/**
 * Locks the rows of a conversation's members until the commit, so that read positions do not move. Otherwise an event
 * with an older unread count could follow one with a newer count in a member's log.
 */
export async function lockReadPositions(em: EntityManager, conversationId: number): Promise<void> {
  await em.query('UPDATE conversation_members SET read_seq = read_seq WHERE conversation_id = ?', [
    conversationId,
  ]);
}

/** Returns the ids of the members of a conversation. */
export async function memberIdsOf(em: EntityManager, conversationId: number): Promise<number[]> {
  const rows = await em.query<{ user_id: number }[]>(
    'SELECT user_id FROM conversation_members WHERE conversation_id = ?',
    [conversationId],
  );
  return rows.map(({ user_id }) => user_id);
}

/** Returns the large groups of the users, with the number after which each user receives the group's events. */
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
