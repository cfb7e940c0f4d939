import { type EntityManager, In } from 'typeorm';
import { ConversationCountEntity } from './entities/conversation-count.entity';
import { ConversationMemberEntity } from './entities/conversation-member.entity';
import { ConversationEntity, type ConversationType } from './entities/conversation.entity';

/* Coming into a conversation and going out of it: the rows that must change together. */

/**
 * A group with more members is no longer pushed: writing to every member's row would cost each message more than
 * the message itself.
 */
export const PUSH_LIMIT = 200;

/**
 * Makes users members from now on, with nothing unread.
 * @param conversation new, or read under its lock
 * @param userIds none of whom is a member; the first to be the owner when `withOwner`
 * @param hearsAfter the number after which they hear the group's own events, when it is a large one already
 */
export async function join(
  em: EntityManager,
  conversation: ConversationEntity,
  userIds: number[],
  { at, withOwner = false, hearsAfter = 0 }: { at: Date; withOwner?: boolean; hearsAfter?: number },
): Promise<void> {
  const { id, type, max_seq } = conversation;
  const member_count = conversation.member_count + userIds.length;
  const pulled = conversation.pulled || member_count > PUSH_LIMIT;
  await em.update(ConversationEntity, { id }, { member_count, pulled });
  if (pulled && !conversation.pulled) await stopPushing(em, id);
  await em.insert(
    ConversationMemberEntity,
    userIds.map((user_id, index) => ({
      conversation_id: id,
      user_id,
      type,
      role: withOwner && index === 0 ? ('owner' as const) : ('member' as const),
      join_seq: max_seq + 1,
      joined_at: at,
      read_seq: max_seq,
      pinned: false,
      muted: false,
      hidden: false,
      hidden_seq: -1,
      pulled,
      sort_at: at,
      hears_after: hearsAfter,
    })),
  );
  await addToCounts(em, userIds, type);
}

/** Ends a membership. The conversation is under its lock. */
export async function leave(
  em: EntityManager,
  { conversation_id, user_id, type }: ConversationMemberEntity,
): Promise<void> {
  await em.delete(ConversationMemberEntity, { conversation_id, user_id });
  await em.decrement(ConversationEntity, { id: conversation_id }, 'member_count', 1);
  await em.decrement(ConversationCountEntity, { user_id, type }, 'total', 1);
}

async function stopPushing(em: EntityManager, conversation_id: number): Promise<void> {
  await em.update(ConversationMemberEntity, { conversation_id }, { pulled: true });
}

/** One more conversation for each user; who has no row yet gets one. */
async function addToCounts(em: EntityManager, userIds: number[], type: ConversationType): Promise<void> {
  const rows = { user_id: In(userIds), type };
  const { affected } = await em.update(ConversationCountEntity, rows, { total: () => 'total + 1' });
  if (affected === userIds.length) return;
  const counted = await em.findBy(ConversationCountEntity, rows);
  const known = new Set(counted.map(({ user_id }) => user_id));
  const missing = userIds.filter((user_id) => !known.has(user_id));
  await em.insert(
    ConversationCountEntity,
    missing.map((user_id) => ({ user_id, type, total: 1 })),
  );
}
