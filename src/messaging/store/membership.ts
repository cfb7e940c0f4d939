import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { tupleList } from '../../database/dialect';
import { BusinessError } from '../../common/errors/business-error';
import type { ConversationType } from '../entities/conversation.entity';
import type { MemberRole } from '../entities/conversation-member.entity';

/** A conversation and a user's place in it, read in one statement: what every act in a conversation starts from. */
export interface Membership {
  conversation_id: ConversationId;
  user_id: UserId;
  type: ConversationType;
  member_count: number;
  max_seq: number;
  first_read_seq: number;
  first_gap_seq: number;
  pulled: boolean;
  role: MemberRole;
  /** The other user of a single chat; null in a group. */
  peer_id: UserId | null;
  join_seq: number;
  read_seq: number;
  /** The newest notice of the conversation; 0: none. */
  last_notice_seq: number;
  /** Up to here the user has cleared the history for oneself. */
  cleared_seq: number;
  /** The highest number that the user has deleted for oneself; 0: none. */
  last_deleted_seq: number;
}

/** The columns of a `Membership`, from `conversation_members m` and `conversations c`. */
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
  last_notice_seq: 'c.last_notice_seq',
  cleared_seq: 'm.cleared_seq',
  last_deleted_seq: 'm.last_deleted_seq',
};

const MEMBERSHIPS = `SELECT ${Object.values(MEMBERSHIP_COLUMNS).join(', ')}
   FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id`;

type Row = Omit<Membership, 'pulled'> & { pulled: number };

const toMembership = (row: Row): Membership => ({ ...row, pulled: Boolean(row.pulled) });

/** The user's place in the conversation, or undefined when there is no such conversation or the user is not in it. */
export async function findMembership(
  em: EntityManager,
  userId: UserId,
  conversationId: ConversationId,
): Promise<Membership | undefined> {
  const [row] = await em.query<Row[]>(`${MEMBERSHIPS} WHERE m.conversation_id = ? AND m.user_id = ?`, [
    conversationId,
    userId,
  ]);
  return row && toMembership(row);
}

/** A user's place in a conversation, as a key. */
export type Place = `${ConversationId}:${UserId}`;

/** Some places at once; those that nobody has are left out. */
export async function findMemberships(
  em: EntityManager,
  places: readonly Place[],
): Promise<Map<Place, Membership>> {
  const rows = await em.query<Row[]>(
    `${MEMBERSHIPS} WHERE (m.conversation_id, m.user_id) IN ${tupleList(em, places, '?, ?')}`,
    places.flatMap((place) => place.split(':').map(Number)),
  );
  return new Map(rows.map((row) => [`${row.conversation_id}:${row.user_id}`, toMembership(row)]));
}

/** @throws {BusinessError} CONVERSATION_FORBIDDEN: no such conversation, or not a member; the two are not told apart */
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
 * Only a group has an owner, so nobody owns a single chat.
 * @throws {BusinessError} NOT_ALLOWED
 */
export function mustOwn({ role }: Membership): void {
  if (role !== 'owner') throw new BusinessError('NOT_ALLOWED');
}

/**
 * Makes every other writer of the conversation wait until this transaction ends. An UPDATE, because SQLite knows no
 * FOR UPDATE. Whoever needs this lock takes it before any other, so that no two wait for each other; and only who has
 * been found to be a member takes it. What was found before the lock is asked again under it.
 */
export async function lockConversation(em: EntityManager, conversationId: number): Promise<void> {
  await em.query('UPDATE conversations SET max_seq = max_seq WHERE id = ?', [conversationId]);
}

/** The key of the single chat of two users. */
export const singleKey = (a: number, b: number): string => `${Math.min(a, b)}:${Math.max(a, b)}`;
