import type { EntityManager } from 'typeorm';
import type { ConversationId, MessageId, UserId } from '../../common/ids';
import { toSqlTimestamp } from '../../database/sql/dialect';
import { insertRows } from '../../database/sql/statements';
import { MessageNoticeEntity } from '../entities/message-notice.entity';
import { MessageEntity } from '../entities/message.entity';
import { changeConversationCounts } from './conversation-counts.store';
import { type LockedMember, lockMembers } from './members.store';
import { lockConversation, type Membership, singleChatOf } from './membership.store';
import { allotIds } from './message-insert.store';
import type { MessageRow } from './message.store';

/** The state of a conversation before a notice is added to it. */
export type NoticeContext = Pick<
  Membership,
  'conversation_id' | 'type' | 'max_seq' | 'notice_count' | 'member_count' | 'pulled'
>;

/**
 * Returns the number of notices up to a message. Runs no query when all of them are.
 * @param seq number of a message that the conversation had when the membership was read
 */
export async function noticesUpTo(
  em: EntityManager,
  { conversation_id, notice_count, last_notice_seq }: Membership,
  seq: number,
): Promise<number> {
  if (last_notice_seq <= seq) return notice_count;
  const [row] = await em.query<{ n: number }[]>(
    'SELECT n FROM message_notices WHERE conversation_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1',
    [conversation_id, seq],
  );
  return row?.n ?? 0;
}

/** Reads the state of a conversation. The caller holds the conversation lock. */
export async function noticeContext(
  em: EntityManager,
  conversationId: ConversationId,
): Promise<NoticeContext | undefined> {
  const [row] = await em.query<(Omit<NoticeContext, 'pulled'> & { pulled: number })[]>(
    `SELECT id AS conversation_id, type, max_seq, notice_count, member_count, pulled FROM conversations
     WHERE id = ?`,
    [conversationId],
  );
  return row && { ...row, pulled: Boolean(row.pulled) };
}

/** Locks the single chat of two users and returns its id; null when there is none. */
export async function lockSingleChat(
  em: EntityManager,
  userId: UserId,
  peerId: UserId,
): Promise<ConversationId | null> {
  const id = await singleChatOf(em, userId, peerId);
  if (id !== null) await lockConversation(em, id);
  return id;
}

/** Allocates the id and number of the next message of a conversation, for a notice. */
export async function allotNotice(
  em: EntityManager,
  { conversation_id, max_seq }: NoticeContext,
): Promise<{ id: MessageId; seq: number }> {
  const seq = max_seq + 1;
  const [id] = await allotIds(em, [{ conversation_id, seq }]);
  return { id: id as MessageId, seq };
}

/**
 * Inserts a notice: a message that moves the conversation up in the lists of its members but moves no read position.
 * @returns the locked rows of the members as they were before the notice; none if the conversation is fanned out on
 *   read
 */
export async function insertNotice(
  em: EntityManager,
  { conversation_id, type, notice_count, pulled: fanOutOnRead }: NoticeContext,
  { seq, id, sender_id, content, created_at, notice, ...message }: MessageRow,
): Promise<LockedMember[]> {
  await em.query('UPDATE conversations SET max_seq = ?, notice_count = ?, last_notice_seq = ? WHERE id = ?', [
    seq,
    notice_count + 1,
    seq,
    conversation_id,
  ]);
  const members = fanOutOnRead ? [] : await lockMembers(em, conversation_id);
  const row = { conversation_id, seq, id, sender_id, type: message.type, content, extra: null, created_at };
  await insertRows(em, MessageEntity, [{ ...row, notice: JSON.stringify(notice) }]);
  await insertRows(em, MessageNoticeEntity, [{ conversation_id, seq, n: notice_count + 1 }]);
  if (fanOutOnRead) return [];
  await em.query('UPDATE conversation_members SET hidden = 0, sort_at = ? WHERE conversation_id = ?', [
    toSqlTimestamp(em, created_at),
    conversation_id,
  ]);
  const hiddenFor = members.filter(({ hidden }) => hidden);
  changeConversationCounts(
    em,
    hiddenFor.map(({ user_id }) => ({ user_id, type, hidden: -1 })),
  );
  return members;
}
