import type { EntityManager } from 'typeorm';
import { BusinessError } from '../common/errors/business-error';
import type { ConversationType } from './entities/conversation.entity';
import type { MemberRole } from './entities/conversation-member.entity';

/** A conversation and a user's place in it, read in one statement: what every act in a conversation starts from. */
export interface Membership {
  conversation_id: number;
  user_id: number;
  type: ConversationType;
  single_key: string | null;
  member_count: number;
  max_seq: number;
  first_read_seq: number;
  first_gap_seq: number;
  pulled: boolean;
  role: MemberRole;
  join_seq: number;
  read_seq: number;
}

/** The columns of a `Membership`, of `conversation_members m` and `conversations c`. */
export const MEMBERSHIP_COLUMNS = [
  'm.conversation_id',
  'm.user_id',
  'c.type',
  'c.single_key',
  'c.member_count',
  'c.max_seq',
  'c.first_read_seq',
  'c.first_gap_seq',
  'c.pulled',
  'm.role',
  'm.join_seq',
  'm.read_seq',
];

/** The user's place in the conversation, or undefined when there is no such conversation or the user is not in it. */
export async function findMembership(
  em: EntityManager,
  conversationId: number,
  userId: number,
): Promise<Membership | undefined> {
  const [row] = await em.query<(Omit<Membership, 'pulled'> & { pulled: number })[]>(
    `SELECT ${MEMBERSHIP_COLUMNS.join(', ')}
     FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
     WHERE m.conversation_id = ? AND m.user_id = ?`,
    [conversationId, userId],
  );
  return row && { ...row, pulled: Boolean(row.pulled) };
}

/** @throws {BusinessError} CONVERSATION_FORBIDDEN: no such conversation, or not a member; the two are not told apart */
export async function requireMembership(
  em: EntityManager,
  conversationId: number,
  userId: number,
): Promise<Membership> {
  const membership = await findMembership(em, conversationId, userId);
  if (membership === undefined) throw new BusinessError('CONVERSATION_FORBIDDEN');
  return membership;
}

/**
 * Makes every other writer of the conversation wait until this transaction ends. An UPDATE, because SQLite knows no
 * FOR UPDATE. Whoever needs this lock takes it before any other, so that no two wait for each other.
 */
export async function lockConversation(em: EntityManager, id: number): Promise<void> {
  await em.query('UPDATE conversations SET max_seq = max_seq WHERE id = ?', [id]);
}

/** The key of the single chat of two users. */
export const singleKey = (a: number, b: number): string => `${Math.min(a, b)}:${Math.max(a, b)}`;

/** The other user of a single chat. */
export function peerIn(key: string, userId: number): number {
  const [lower = 0, higher = 0] = key.split(':').map(Number);
  return lower === userId ? higher : lower;
}

const LOWER = "CAST(SUBSTR(c.single_key, 1, INSTR(c.single_key, ':') - 1) AS UNSIGNED)";
const HIGHER = "CAST(SUBSTR(c.single_key, INSTR(c.single_key, ':') + 1) AS UNSIGNED)";

/** The same in SQL, of a member's row `m` and its conversation `c`; NULL in a group. SQLite casts to a number, too. */
export const PEER_ID = `CASE WHEN ${LOWER} = m.user_id THEN ${HIGHER} ELSE ${LOWER} END`;
