import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { forcePrimaryKey, lockingEnd, straightJoin } from '../../database/sql/dialect';
import { BusinessError } from '../../common/errors/business-error';
import type { ConversationEntity } from '../entities/conversation.entity';
import type { ConversationMemberEntity } from '../entities/conversation-member.entity';

/**
 * A conversation and a user's membership in it, read with one statement. Every operation in a conversation starts with
 * it.
 */
export type Membership = Pick<ConversationMemberEntity, (typeof MEMBER_COLUMNS)[number]> &
  Pick<ConversationEntity, (typeof CONVERSATION_COLUMNS)[number]>;

const MEMBER_COLUMNS = [
  'conversation_id',
  'user_id',
  'role',
  'peer_id',
  'join_seq',
  'read_seq',
  'notices_read',
  'cleared_seq',
  'last_deleted_seq',
] as const;
const CONVERSATION_COLUMNS = [
  'type',
  'member_count',
  'max_seq',
  'first_read_seq',
  'first_gap_seq',
  'pulled',
  'notice_count',
  'last_notice_seq',
] as const;

/** SQL of the columns of a `Membership`, from `conversation_members m` and `conversations c`. */
export const MEMBERSHIP_COLUMNS = Object.fromEntries([
  ...MEMBER_COLUMNS.map((name) => [name, `m.${name}`]),
  ...CONVERSATION_COLUMNS.map((name) => [name, `c.${name}`]),
]) as Record<keyof Membership, string>;

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

/** Returns the id of the single chat of two users; null when there is none. */
export async function singleChatOf(em: EntityManager, a: number, b: number): Promise<ConversationId | null> {
  const [row] = await em.query<{ id: ConversationId }[]>(
    'SELECT id FROM conversations WHERE single_key = ?',
    [singleKey(a, b)],
  );
  return row?.id ?? null;
}
