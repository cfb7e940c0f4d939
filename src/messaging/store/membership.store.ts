import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { forcePrimaryKey, lockingEnd, straightJoin } from '../../database/sql/dialect';
import { BusinessError } from '../../common/errors/business-error';
import type { ConversationType } from '../entities/conversation.entity';
import type { MemberRole } from '../entities/conversation-member.entity';

/**
 * A conversation and a user's membership in it, read with one statement. Every operation in a conversation starts with
 * it.
 */
export interface Membership {
  conversation_id: ConversationId;
  user_id: UserId;
  type: ConversationType;
  member_count: number;
  max_seq: number;
  first_read_seq: number;
  first_gap_seq: number;
  /** Whether it is a large group: its events are written once and each member reads them (fanned out on read). */
  pulled: boolean;
  role: MemberRole;
  /** The other user of a single chat; null in a group. */
  peer_id: UserId | null;
  join_seq: number;
  read_seq: number;
  /** Number of notices up to `read_seq`. */
  notices_read: number;
  /** Number of notices of the conversation. */
  notice_count: number;
  /** Number of the newest notice of the conversation; 0 when there is none. */
  last_notice_seq: number;
  /** Number of the last message that the user has cleared; 0 when there is none. */
  cleared_seq: number;
  /** The highest number of a message that the user has deleted for themselves; 0 when there is none. */
  last_deleted_seq: number;
}

/** SQL of the columns of a `Membership`, from `conversation_members m` and `conversations c`. */
export const MEMBERSHIP_COLUMNS: Record<keyof Membership, string> = {
  conversation_id: 'm.conversation_id',
  user_id: 'm.user_id',
  type: 'c.type',
  member_count: 'c.member_count',
  max_seq: 'c.max_seq',
  first_read_seq: 'c.first_read_seq',
  first_gap_seq: 'c.first_gap_seq',
  pulled: 'c.pulled',
  role: 'm.role',
  peer_id: 'm.peer_id',
  join_seq: 'm.join_seq',
  read_seq: 'm.read_seq',
  notices_read: 'm.notices_read',
  notice_count: 'c.notice_count',
  last_notice_seq: 'c.last_notice_seq',
  cleared_seq: 'm.cleared_seq',
  last_deleted_seq: 'm.last_deleted_seq',
};

/**
 * Number of unread messages. Messages after the position are never the member's own, because sending moves the
 * position; recalled messages and notices are subtracted.
 */
export const UNREAD = 'c.max_seq - m.read_seq - m.recalled_ahead - (c.notice_count - m.notices_read)';

const COLUMNS = Object.values(MEMBERSHIP_COLUMNS).join(', ');
const MEMBERSHIPS = `SELECT ${COLUMNS} FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id`;

/** A membership as the database returns it. */
export type MembershipRow = Omit<Membership, 'pulled'> & { pulled: number };

export const toMembership = (row: MembershipRow): Membership => ({ ...row, pulled: Boolean(row.pulled) });

/** Returns the user's membership, or undefined if the conversation does not exist or the user is not a member. */
export async function findMembership(
  em: EntityManager,
  userId: UserId,
  conversationId: ConversationId,
): Promise<Membership | undefined> {
  const [row] = await em.query<MembershipRow[]>(
    `${MEMBERSHIPS} WHERE m.conversation_id = ? AND m.user_id = ?`,
    [conversationId, userId],
  );
  return row && toMembership(row);
}

/**
 * Returns memberships of a user in conversations up to an id, the highest id first.
 * @param highest the highest id; undefined: no bound
 */
export async function membershipsDown(
  em: EntityManager,
  userId: UserId,
  { highest, limit }: { highest: number | undefined; limit: number },
): Promise<Membership[]> {
  const rows = await em.query<MembershipRow[]>(
    `${MEMBERSHIPS} WHERE m.user_id = ? AND m.conversation_id <= ? ORDER BY m.conversation_id DESC LIMIT ${limit}`,
    [userId, highest ?? Number.MAX_SAFE_INTEGER],
  );
  return rows.map(toMembership);
}

/**
 * @throws {BusinessError} CONVERSATION_FORBIDDEN if the conversation does not exist or the user is not a member; the
 *   error does not distinguish the two
 */
export async function requireMembership(
  em: EntityManager,
  userId: UserId,
  conversationId: ConversationId,
): Promise<Membership> {
  const membership = await findMembership(em, userId, conversationId);
  if (membership === undefined) throw new BusinessError('CONVERSATION_FORBIDDEN');
  return membership;
}

/**
 * Requires the role of the owner. Only groups have an owner, so this always fails in a single chat.
 * @throws {BusinessError} NOT_ALLOWED
 */
export function assertOwner({ role }: Membership): void {
  if (role !== 'owner') throw new BusinessError('NOT_ALLOWED');
}

/**
 * Locks a conversation until the transaction ends, so that all other writers wait. Uses an UPDATE because SQLite has no
 * FOR UPDATE. Lock order: this lock is taken before any other, so that no two transactions deadlock. Take it only for a
 * user who has been found to be a member, so that other users cannot block the conversation. Read again under the lock
 * what was read before it.
 */
export async function lockConversation(em: EntityManager, conversationId: number): Promise<void> {
  await em.query('UPDATE conversations SET max_seq = max_seq WHERE id = ?', [conversationId]);
}

/**
 * Locks a conversation and then the user's row in it, and returns the membership as of then; undefined if the user is
 * not a member any more. Takes the place of `lockConversation`, with the same lock order and the same condition.
 */
export async function lockMembership(
  em: EntityManager,
  userId: UserId,
  conversationId: ConversationId,
): Promise<Membership | undefined> {
  const [row] = await em.query<MembershipRow[]>(
    `SELECT ${COLUMNS} FROM conversations c
     ${straightJoin(em)} conversation_members m ${forcePrimaryKey(em)} ON m.conversation_id = c.id AND m.user_id = ?
     WHERE c.id = ?${lockingEnd(em)}`,
    [userId, conversationId],
  );
  return row && toMembership(row);
}

/** Returns the key of the single chat of two users, `lower:higher`. */
export const singleKey = (a: number, b: number): string => `${Math.min(a, b)}:${Math.max(a, b)}`;
