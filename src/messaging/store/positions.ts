import type { EntityManager } from 'typeorm';
import { byPrimaryKey, type RawCount, toCount } from '../../database/dialect';
import { affectedBy } from '../../database/rows';
import { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { changeCounts } from './conversation-counts';
import { lengthOf, type SeqRange } from '../rules/history-range';
import { MENTION_ID, UNREAD } from './members.queries';
import type { Membership } from './membership';
import { noticesIn } from './marks/notice-rows';

/* A member's read position moves, and the counts with it. */

/**
 * Compare-and-set from the position that is known; when it has moved meanwhile, from where it is now. The member's row
 * is locked from then on.
 * @returns the messages that have become read, or undefined when another request was further already
 */
export async function movePosition(
  em: EntityManager,
  { conversation_id, user_id, read_seq }: Membership,
  to: number,
): Promise<SeqRange | undefined> {
  let position: number | undefined = read_seq;
  while (position !== undefined && position < to) {
    const moved = await affectedBy(
      em,
      `UPDATE conversation_members ${byPrimaryKey(em)} SET read_seq = ?
       WHERE conversation_id = ? AND user_id = ? AND read_seq = ?`,
      [to, conversation_id, user_id, position],
    );
    if (moved > 0) return { from: position + 1, to };
    position = (await em.findOneBy(ConversationMemberEntity, { conversation_id, user_id }))?.read_seq;
  }
  return undefined;
}

/** How a member stands who has just read on. */
export interface Position {
  /** The last message read; null when there is none. */
  message_id: number | null;
  unread_count: number;
  /** The newest unread message that mentions the member. */
  mention_id: number | null;
}

type PositionRow = Position & { passed: RawCount; muted: number; pulled: number };

/** Who has passed the last recall has passed all of them; else those in between are counted, each once in its time. */
const PASSED = `CASE WHEN m.recalled_ahead = 0 OR c.last_recalled_seq <= m.read_seq THEN m.recalled_ahead
  ELSE (SELECT COUNT(*) FROM message_recalls WHERE conversation_id = ? AND seq BETWEEN ? AND ?) END`;

/**
 * Takes the recalled messages among those just read off the ones that lie ahead, and the others but for notices off what
 * the user has to read (in a large group that is not counted). Asked only once the member's row is
 * locked: a recall counts itself in that row, or finds it passed.
 * @param read what `movePosition` has answered
 */
export async function settlePosition(
  em: EntityManager,
  membership: Membership,
  range: SeqRange,
): Promise<Position> {
  const { conversation_id, user_id, type } = membership;
  const [row] = await em.query<PositionRow[]>(
    `SELECT ${UNREAD} AS unread_count, l.id AS message_id, ${MENTION_ID} AS mention_id, ${PASSED} AS passed,
       m.muted, m.pulled FROM conversation_members m
     JOIN conversations c ON c.id = m.conversation_id
     LEFT JOIN messages l ON l.conversation_id = c.id AND l.seq = m.read_seq
     WHERE m.conversation_id = ? AND m.user_id = ?`,
    [conversation_id, range.from, range.to, conversation_id, user_id],
  );
  const passed = toCount(row?.passed);
  if (passed > 0)
    await em.query(
      `UPDATE conversation_members SET recalled_ahead = recalled_ahead - ?
       WHERE conversation_id = ? AND user_id = ?`,
      [passed, conversation_id, user_id],
    );
  if (!row?.muted && !row?.pulled) {
    const unread = passed + (await noticesIn(em, membership, range)) - lengthOf(range);
    changeCounts(em, [{ user_id, type, unread }]);
  }
  const unread_count = (row?.unread_count ?? 0) + passed;
  return { message_id: row?.message_id ?? null, unread_count, mention_id: row?.mention_id ?? null };
}
