import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { insertRows } from '../../database/rows';
import { noteIfAbandoned } from './abandoned-conversations';
import { changeCounts, changeOf, NO_SHARE, shareOf } from './conversation-counts';
import { ConversationMemberEntity } from '../entities/conversation-member.entity';
import { ConversationEntity, type ConversationType } from '../entities/conversation.entity';
import { forgetMuteEnds } from './member-settings';
import { heldMembers } from './members.queries';

/* Coming into a conversation and going out of it: the rows that must change together. */

/**
 * A group with more members is fanned out on read: writing to every member's row would cost each message more than
 * the message itself.
 */
export const FAN_OUT_ON_WRITE_LIMIT = 200;

/** What makes a conversation new. */
export type Beginning = Pick<ConversationEntity, 'type' | 'single_key' | 'name' | 'avatar' | 'created_at'>;

/** A conversation without messages and members. */
export async function begin(em: EntityManager, beginning: Beginning): Promise<ConversationEntity> {
  const conversation = {
    ...beginning,
    member_count: 0,
    max_seq: 0,
    last_recalled_seq: 0,
    last_mention_all_seq: 0,
    notice_count: 0,
    last_notice_seq: 0,
    first_read_seq: 0,
    first_gap_seq: 0,
    pulled: false,
  };
  const id = (await insertRows(em, ConversationEntity, [conversation])) as ConversationId;
  return { ...conversation, id };
}

/**
 * Makes users members from now on, with nothing unread.
 * @param conversation new, or read under its lock
 * @param userIds none of whom is a member; the first to be the owner when `withOwner`
 * @param eventsAfterSeq the number after which they hear the group's own events, when it is a large one already
 */
export async function join(
  em: EntityManager,
  conversation: ConversationEntity,
  userIds: number[],
  { at, withOwner = false, eventsAfterSeq = 0 }: { at: Date; withOwner?: boolean; eventsAfterSeq?: number },
): Promise<void> {
  const { id, type, max_seq } = conversation;
  const member_count = conversation.member_count + userIds.length;
  const fanOutOnRead = conversation.pulled || member_count > FAN_OUT_ON_WRITE_LIMIT;
  await em.update(ConversationEntity, { id }, { member_count });
  if (fanOutOnRead && !conversation.pulled) await switchToFanOutOnRead(em, conversation);
  // `em.insert` would select all rows again for their default values: 40 ms for 500 members on SQLite.
  await insertRows(
    em,
    ConversationMemberEntity,
    (userIds as UserId[]).map((user_id, index, all) => ({
      conversation_id: id,
      user_id,
      type,
      peer_id: type === 'single' ? (all[1 - index] ?? null) : null,
      role: withOwner && index === 0 ? ('owner' as const) : ('member' as const),
      join_seq: max_seq + 1,
      joined_at: at,
      read_seq: max_seq,
      recalled_ahead: 0,
      last_mention_seq: 0,
      pinned: false,
      muted: false,
      mute_until: null,
      hidden: false,
      hidden_seq: -1,
      pulled: fanOutOnRead,
      sort_at: at,
      hears_after: eventsAfterSeq,
    })),
  );
  changeCounts(
    em,
    userIds.map((user_id) => ({ user_id, type, total: 1 })),
  );
}

/** Ends a membership. The conversation is under its lock. */
export async function leave(
  em: EntityManager,
  { conversation_id, user_id, type }: ConversationMemberEntity,
): Promise<void> {
  const [member] = await heldMembers(em, conversation_id, [user_id]);
  if (member === undefined) return;
  await em.delete(ConversationMemberEntity, { conversation_id, user_id });
  if (member.mute_until !== null) await forgetMuteEnds(em, conversation_id, [user_id]);
  await em.decrement(ConversationEntity, { id: conversation_id }, 'member_count', 1);
  await noteIfAbandoned(em, conversation_id);
  changeCounts(em, [changeOf({ user_id, type }, shareOf(member), NO_SHARE)]);
}

/**
 * Ends all memberships at once. The conversation is under its lock.
 * @returns who has been a member
 */
export async function leaveAll(
  em: EntityManager,
  { conversation_id, type }: Pick<ConversationMemberEntity, 'conversation_id' | 'type'>,
): Promise<number[]> {
  const members = (await heldMembers(em, conversation_id)).toSorted((a, b) => a.user_id - b.user_id);
  await em.delete(ConversationMemberEntity, { conversation_id });
  const timed = members.filter(({ mute_until }) => mute_until !== null);
  await forgetMuteEnds(
    em,
    conversation_id,
    timed.map(({ user_id }) => user_id),
  );
  await em.update(ConversationEntity, { id: conversation_id }, { member_count: 0 });
  await noteIfAbandoned(em, conversation_id);
  changeCounts(
    em,
    members.map((member) => changeOf({ ...member, type }, shareOf(member), NO_SHARE)),
  );
  return members.map(({ user_id }) => user_id);
}

/** A group grows large, for good: what its members have to read is asked for from now on instead of counted. */
export async function switchToFanOutOnRead(
  em: EntityManager,
  { id, type }: { id: number; type: ConversationType },
): Promise<void> {
  const members = await heldMembers(em, id);
  await em.update(ConversationEntity, { id }, { pulled: true });
  await em.update(ConversationMemberEntity, { conversation_id: id }, { pulled: true });
  changeCounts(
    em,
    members.map((member) =>
      changeOf({ ...member, type }, shareOf(member), shareOf({ ...member, pulled: true })),
    ),
  );
}
