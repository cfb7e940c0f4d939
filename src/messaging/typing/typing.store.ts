import type { EntityManager } from 'typeorm';
import { blockedBetween } from '../../people/blocks/blocks.store';
import type { ConversationUser } from '../../people/contact-graph';
import { FAN_OUT_ON_WRITE_LIMIT } from '../store/membership-changes.store';

/**
 * Returns the other members, who may be notified. Empty if the conversation has more than 200 members, or one of the
 * two users of a single chat has blocked the other; members are not read then. Undefined if the user is not a member.
 */
export async function typingAudience(
  em: EntityManager,
  { conversationId, userId }: ConversationUser,
): Promise<number[] | undefined> {
  const rows = await em.query<{ user_id: number | null }[]>(
    `SELECT o.user_id FROM conversation_members m
     JOIN conversations c ON c.id = m.conversation_id
     LEFT JOIN conversation_members o ON o.user_id <> m.user_id AND o.conversation_id =
       CASE WHEN c.member_count <= ? AND NOT ${blockedBetween('m.user_id', 'm.peer_id')} THEN c.id END
     WHERE m.conversation_id = ? AND m.user_id = ?`,
    [FAN_OUT_ON_WRITE_LIMIT, conversationId, userId],
  );
  return rows.length === 0 ? undefined : rows.flatMap(({ user_id }) => user_id ?? []);
}
