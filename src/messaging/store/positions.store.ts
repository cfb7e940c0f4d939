import type { EntityManager } from 'typeorm';
import { forcePrimaryKey, type RawCount, toCount } from '../../database/sql/dialect';
import { affectedBy, findRows } from '../../database/sql/statements';
import { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { changeConversationCounts } from './conversation-counts.store';
import { lengthOf, type SeqRange } from '../rules/history-range.rules';
import { MENTION_ID } from './members.store';
import { type Membership, UNREAD } from './membership.store';
import { noticesUpTo } from './notice.store';

/* Updates of a member's read position and of the counts that depend on it. */

/** The state of a member after an advance of the read position. */
interface Position {
  /** The last message read; null when there is none. */
  message_id: number | null;
  unread_count: number;
  /** Id of the newest unread message that mentions the member; null when there is none. */
  mention_id: number | null;
}

type PositionRow = Position & { passed: RawCount; muted: number; pulled: number };

/**
 * Number of recalled messages that the position has just passed. A position after the last recall has passed all of
 * them; otherwise those in the range are counted, so that each recall is counted once.
 */
const PASSED = `CASE WHEN m.recalled_ahead = 0 OR c.last_recalled_seq <= m.read_seq THEN m.recalled_ahead
  ELSE (SELECT COUNT(*) FROM message_recalls WHERE conversation_id = ? AND seq BETWEEN ? AND ?) END`;

/** An advance of a read position: the messages that have become read, and the state after it. */
export interface Advance extends Position {
  range: SeqRange;
}

/**
 * Advances the read position, with a compare-and-set from the position in `membership`; if it has moved in the
 * meantime, from the current one. Subtracts the recalled messages in the range from `recalled_ahead`, and the other
 * messages except notices from the user's unread count. That count does not include large groups and muted
 * conversations. The member's row is locked afterwards, so a concurrent recall either has counted itself in that row, or
 * finds that its message has been passed.
 * @returns undefined when the position has reached `to` already
 */
export async function advancePosition(
  em: EntityManager,
  membership: Membership,
  to: number,
): Promise<Advance | undefined> {
  const { conversation_id, user_id } = membership;
  const notices = await noticesUpTo(em, membership, to);
  let before: Pick<Membership, 'read_seq' | 'notices_read'> | undefined = membership;
  while (before !== undefined && before.read_seq < to) {
    const range = { from: before.read_seq + 1, to };
    const update = affectedBy(
      em,
      `UPDATE conversation_members ${forcePrimaryKey(em)} SET read_seq = ?, notices_read = ?
       WHERE conversation_id = ? AND user_id = ? AND read_seq = ?`,
      [to, notices, conversation_id, user_id, before.read_seq],
    );
    // Sent with the update, and of use only if that matched.
    const [moved, row] = await Promise.all([update, positionAfter(em, membership, range)]);
    if (moved > 0) {
      const messages = lengthOf(range) - (notices - before.notices_read);
      return { range, ...(await settle(em, membership, messages, row)) };
    }
    [before] = await findRows(em, ConversationMemberEntity, { conversation_id, user_id });
  }
  return undefined;
}

/** Reads the state of a member whose position has passed a range. */
async function positionAfter(
  em: EntityManager,
  { conversation_id, user_id }: Membership,
  { from, to }: SeqRange,
): Promise<PositionRow | undefined> {
  const [row] = await em.query<PositionRow[]>(
    `SELECT ${UNREAD} AS unread_count, l.id AS message_id, ${MENTION_ID} AS mention_id, ${PASSED} AS passed,
       m.muted, m.pulled FROM conversation_members m
     JOIN conversations c ON c.id = m.conversation_id
     LEFT JOIN messages l ON l.conversation_id = c.id AND l.seq = m.read_seq
     WHERE m.conversation_id = ? AND m.user_id = ?`,
    [conversation_id, from, to, conversation_id, user_id],
  );
  return row;
}

/** Updates the counts that depend on the position. @param messages the number of those passed, without notices */
async function settle(
  em: EntityManager,
  membership: Membership,
  messages: number,
  row: PositionRow | undefined,
): Promise<Position> {
  const { conversation_id, user_id, type } = membership;
  const passed = toCount(row?.passed);
  if (passed > 0)
    await em.query(
      `UPDATE conversation_members SET recalled_ahead = recalled_ahead - ?
       WHERE conversation_id = ? AND user_id = ?`,
      [passed, conversation_id, user_id],
    );
  if (!row?.muted && !row?.pulled)
    changeConversationCounts(em, [{ user_id, type, unread: passed - messages }]);
  const { message_id = null, unread_count = 0, mention_id = null } = row ?? {};
  return { message_id, unread_count: unread_count + passed, mention_id };
}
