import type { EntityManager } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import type { Slice } from '../../common/http/page';
import { deleteRows, findRows, insertRows, updateRows } from '../../database/sql/statements';
import { markIfAbandoned } from './abandoned-conversations.store';
import { changeConversationCounts, countDelta } from './conversation-counts.store';
import { ConversationMemberEntity, type MemberRole } from '../entities/conversation-member.entity';
import { ConversationEntity, type ConversationType } from '../entities/conversation.entity';
import { deleteMuteEnds } from './member-settings.store';
import { lockMembers } from './members.store';

/* Adding and removing members: the rows that must change together. */

/**
 * Maximum number of members of a group that is fanned out on write. In a larger group, writing to every member's row
 * would cost each message more than the message itself, so it is fanned out on read.
 */
export const FAN_OUT_ON_WRITE_LIMIT = 200;

/** The columns that a new conversation is created with. */
export type NewConversation = Pick<
  ConversationEntity,
  'type' | 'single_key' | 'name' | 'avatar' | 'created_at'
>;

/** Inserts a conversation without messages and members. */
export async function insertConversation(
  em: EntityManager,
  beginning: NewConversation,
): Promise<ConversationEntity> {
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

/** Returns an existing conversation. */
export async function conversationById(em: EntityManager, id: ConversationId): Promise<ConversationEntity> {
  const [conversation] = await findRows(em, ConversationEntity, { id });
  return conversation as ConversationEntity;
}

/** Changes the name or the picture of a group. */
export async function updateFace(
  em: EntityManager,
  id: ConversationId,
  changes: Partial<Pick<ConversationEntity, 'name' | 'avatar'>>,
): Promise<void> {
  await updateRows<ConversationEntity>(em, ConversationEntity, { id }, changes);
}

/** Returns the rows of those of the users who are members, in no particular order. */
export const memberRows = (
  em: EntityManager,
  conversation_id: ConversationId,
  user_id: readonly UserId[],
): Promise<ConversationMemberEntity[]> =>
  findRows(em, ConversationMemberEntity, { conversation_id, user_id });

/**
 * Returns a slice of the members, in the order in which they joined. `join_seq` never contradicts `joined_at`, and
 * comes first because the index starts with it.
 */
export const membersByJoining = (
  em: EntityManager,
  conversation_id: ConversationId,
  { offset, limit }: Slice,
): Promise<ConversationMemberEntity[]> =>
  em.find(ConversationMemberEntity, {
    where: { conversation_id },
    order: { join_seq: 'ASC', joined_at: 'ASC', user_id: 'ASC' },
    skip: offset,
    take: limit,
  });

/** Returns the names of all members, in the order in which they joined. Joins `users`, a table of the identity module. */
export const namesOfMembers = (
  em: EntityManager,
  conversationId: ConversationId,
): Promise<{ user_id: UserId; name: string | null }[]> =>
  em.query(
    `SELECT m.user_id, u.name FROM conversation_members m LEFT JOIN users u ON u.id = m.user_id
     WHERE m.conversation_id = ? ORDER BY m.join_seq, m.joined_at, m.user_id`,
    [conversationId],
  );

/** Sets the role of a member. */
export async function setRole(
  em: EntityManager,
  conversation_id: ConversationId,
  user_id: UserId,
  role: MemberRole,
): Promise<void> {
  await updateRows(em, ConversationMemberEntity, { conversation_id, user_id }, { role });
}

/**
 * Adds users as members. They see messages from now on, and have nothing unread.
 * @param conversation new, or read under its lock
 * @param userIds users who are not members; the first becomes the owner when `withOwner` is set
 * @param eventsAfterSeq number of the last event of the group that they do not receive, if it is a large group already
 */
export async function addMembers(
  em: EntityManager,
  conversation: ConversationEntity,
  userIds: number[],
  { at, withOwner = false, eventsAfterSeq = 0 }: { at: Date; withOwner?: boolean; eventsAfterSeq?: number },
): Promise<void> {
  const { id, type, max_seq, notice_count } = conversation;
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
      notices_read: notice_count,
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
  changeConversationCounts(
    em,
    userIds.map((user_id) => ({ user_id, type, total: 1 })),
  );
}

/**
 * Removes the members among `userIds`; all members when that is undefined. The caller holds the conversation lock.
 * @returns the ids of the removed members, ascending
 */
export async function removeMembers(
  em: EntityManager,
  { conversation_id, type }: Pick<ConversationMemberEntity, 'conversation_id' | 'type'>,
  userIds?: UserId[],
): Promise<number[]> {
  const locked = await lockMembers(em, conversation_id, userIds);
  const members = locked.toSorted((a, b) => a.user_id - b.user_id);
  const removed = userIds === undefined ? { conversation_id } : { conversation_id, user_id: userIds };
  await deleteRows(em, ConversationMemberEntity, removed);
  const withMuteEnd = members.filter(({ mute_until }) => mute_until !== null);
  await deleteMuteEnds(
    em,
    conversation_id,
    withMuteEnd.map(({ user_id }) => user_id),
  );
  // Set to 0 and not subtracted, so that a dissolved group is deleted even if its stored count was wrong.
  if (userIds === undefined)
    await em.update(ConversationEntity, { id: conversation_id }, { member_count: 0 });
  else await em.decrement(ConversationEntity, { id: conversation_id }, 'member_count', members.length);
  await markIfAbandoned(em, conversation_id);
  changeConversationCounts(
    em,
    members.map((member) => countDelta(type, member)),
  );
  return members.map(({ user_id }) => user_id);
}

/**
 * Switches a group to fan-out on read, permanently. Its unread messages are counted when they are read from now on, no
 * longer in `conversation_counts`. The caller holds the conversation lock.
 */
export async function switchToFanOutOnRead(
  em: EntityManager,
  { id, type }: { id: number; type: ConversationType },
): Promise<void> {
  const members = await lockMembers(em, id);
  await em.update(ConversationEntity, { id }, { pulled: true });
  await em.update(ConversationMemberEntity, { conversation_id: id }, { pulled: true });
  changeConversationCounts(
    em,
    members.map((member) => countDelta(type, member, { ...member, pulled: true })),
  );
}
