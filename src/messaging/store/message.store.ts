import type { EntityManager } from 'typeorm';
import type { ConversationId, MessageId, UserId } from '../../common/ids';
import type { SeqRange } from '../rules/history-range.rules';
import { attachmentsIn, type MessageAttachment } from '../rules/message-attachments.rules';
import { type Extra, extraOf, type MessageType } from '../rules/message-content.rules';
import { type Mentions, mentionsIn } from '../rules/mentions.rules';
import { type Notice, noticeOf } from '../rules/notice.rules';
import { isSqlite, placeholders, type RawTimestamp, toDate, toDateOrNull } from '../../database/sql/dialect';
import { type Membership, MEMBERSHIP_COLUMNS, type MembershipRow, toMembership } from './membership.store';

/** A stored message, with the name and avatar of the sender; both are null if the sender is unknown. */
export interface MessageRow extends Mentions {
  conversation_id: ConversationId;
  seq: number;
  id: MessageId;
  sender_id: UserId;
  sender_name: string | null;
  sender_avatar: string | null;
  type: MessageType;
  content: string;
  extra: Extra | null;
  attachments: readonly MessageAttachment[];
  created_at: Date;
  is_recalled: boolean;
  /** Number of the message that it replies to. */
  reply_seq: number | null;
  is_forwarded: boolean;
  edited_at: Date | null;
  /** Whether it has reactions, which `reactionsIn` reads. */
  has_reactions: boolean;
  /** Content of a notice; null for messages of users. */
  notice: Notice | null;
  /** Idempotency key, set by the client of the sender. */
  client_msg_id: string | null;
}

type RawMessage = Pick<
  MessageRow,
  | 'seq'
  | 'id'
  | 'sender_id'
  | 'sender_name'
  | 'sender_avatar'
  | 'type'
  | 'content'
  | 'reply_seq'
  | 'client_msg_id'
> & {
  extra: string | null;
  attachments: string | null;
  has_reactions: number;
  notice: string | null;
  created_at: RawTimestamp;
  recalled_at: RawTimestamp | null;
  mentions: string | null;
  is_forwarded: number;
  edited_at: RawTimestamp | null;
};

/**
 * Joins the senders from `users`, a table of the identity module: reading them separately costs as much as the
 * messages.
 */
const COLUMNS = `l.seq, l.id, l.sender_id, u.name AS sender_name, u.avatar AS sender_avatar,
    l.type, l.content, l.extra, l.attachments, l.created_at, l.recalled_at, l.reply_seq, l.mentions,
    l.is_forwarded, l.edited_at, l.has_reactions, l.notice, l.client_msg_id`;
const SENDERS = 'LEFT JOIN users u ON u.id = l.sender_id';
const MESSAGES = `messages l ${SENDERS}`;

const toMessage = (conversation_id: ConversationId, row: RawMessage): MessageRow => ({
  conversation_id,
  seq: row.seq,
  id: row.id,
  sender_id: row.sender_id,
  sender_name: row.sender_name,
  sender_avatar: row.sender_avatar,
  type: row.type,
  content: row.content,
  extra: extraOf(row.extra),
  attachments: attachmentsIn(row.attachments),
  created_at: toDate(row.created_at),
  is_recalled: row.recalled_at !== null,
  reply_seq: row.reply_seq,
  ...mentionsIn(row.mentions),
  is_forwarded: Boolean(row.is_forwarded),
  edited_at: toDateOrNull(row.edited_at),
  has_reactions: Boolean(row.has_reactions),
  notice: noticeOf(row.notice),
  client_msg_id: row.client_msg_id,
});

/** Returns the messages of a range, newest first. */
export async function messagesIn(
  em: EntityManager,
  conversationId: ConversationId,
  { from, to }: SeqRange,
): Promise<MessageRow[]> {
  return from > to ? [] : messagesWhere(em, conversationId, 'l.seq BETWEEN ? AND ?', [from, to]);
}

/** Returns messages of a conversation by their numbers, newest first. */
export async function messagesAt(
  em: EntityManager,
  conversationId: ConversationId,
  seqs: readonly number[],
): Promise<MessageRow[]> {
  return seqs.length === 0 ? [] : messagesWhere(em, conversationId, `l.seq IN (${placeholders(seqs)})`, seqs);
}

async function messagesWhere(
  em: EntityManager,
  conversationId: ConversationId,
  condition: string,
  parameters: readonly number[],
): Promise<MessageRow[]> {
  const rows = await em.query<RawMessage[]>(
    `SELECT ${COLUMNS} FROM ${MESSAGES} WHERE l.conversation_id = ? AND ${condition} ORDER BY l.seq DESC`,
    [conversationId, ...parameters],
  );
  return rows.map((row) => toMessage(conversationId, row));
}

/** A range of message numbers; those after the newest message, or before the first that a member sees, are empty. */
export interface HistoryRange extends SeqRange {
  /** Whether the numbers are relative to the newest message, which is 0. */
  isRelative: boolean;
}

/** The membership is selected with every message, under names of its own. */
const VIEWER = Object.entries(MEMBERSHIP_COLUMNS).map(([name, sql]) => `${sql} AS viewer_${name}`);

type HistoryRow = { [Name in keyof RawMessage]: RawMessage[Name] | null } & Record<
  `viewer_${keyof Membership}`,
  unknown
>;

/**
 * Returns a user's membership and the messages of a range that the user sees, newest first, both as of one moment;
 * undefined if the conversation does not exist or the user is not a member.
 */
export async function historyOf(
  em: EntityManager,
  userId: UserId,
  conversationId: ConversationId,
  { from, to, isRelative }: HistoryRange,
): Promise<{ membership: Membership; messages: MessageRow[] } | undefined> {
  const start = isRelative ? 'c.max_seq + ?' : '?';
  const greatest = isSqlite(em) ? 'MAX' : 'GREATEST';
  const rows = await em.query<HistoryRow[]>(
    `SELECT ${VIEWER.join(', ')}, ${COLUMNS} FROM conversation_members m
     JOIN conversations c ON c.id = m.conversation_id
     LEFT JOIN messages l ON l.conversation_id = m.conversation_id AND l.seq <= ${start}
       AND l.seq >= ${greatest}(m.join_seq, m.cleared_seq + 1, ${start})
     ${SENDERS} WHERE m.conversation_id = ? AND m.user_id = ?`,
    [to, from, conversationId, userId],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const names = Object.keys(MEMBERSHIP_COLUMNS) as (keyof Membership)[];
  const viewer = Object.fromEntries(names.map((name) => [name, first[`viewer_${name}`]]));
  const messages = rows
    .filter((row): row is HistoryRow & RawMessage => row.seq !== null)
    .map((row) => toMessage(conversationId, row))
    .toSorted((a, b) => b.seq - a.seq);
  return { membership: toMembership(viewer as unknown as MembershipRow), messages };
}

/** Returns messages of any conversation by their ids. */
export async function messagesById(
  em: EntityManager,
  ids: readonly number[],
): Promise<Map<number, MessageRow>> {
  if (ids.length === 0) return new Map();
  const rows = await em.query<(RawMessage & Pick<MessageRow, 'conversation_id'>)[]>(
    `SELECT l.conversation_id, ${COLUMNS} FROM message_ids i
     JOIN messages l ON l.conversation_id = i.conversation_id AND l.seq = i.seq ${SENDERS}
     WHERE i.id IN (${placeholders(ids)})`,
    [...ids],
  );
  return new Map(rows.map((row) => [row.id, toMessage(row.conversation_id, row)]));
}

/**
 * Returns the message that the sender has sent with this `client_msg_id`, and the hash of its content as it was sent.
 */
export async function messageSentAs(
  em: EntityManager,
  senderId: UserId,
  conversationId: ConversationId,
  clientMsgId: string,
): Promise<{ message: MessageRow; hash: string | null } | undefined> {
  const [row] = await em.query<(RawMessage & { content_hash: string | null })[]>(
    `SELECT ${COLUMNS}, l.content_hash FROM ${MESSAGES}
     WHERE l.conversation_id = ? AND l.sender_id = ? AND l.client_msg_id = ?`,
    [conversationId, senderId, clientMsgId],
  );
  return row && { message: toMessage(conversationId, row), hash: row.content_hash };
}

/**
 * Returns the number of a message in its conversation; undefined if it does not exist or belongs to another
 * conversation.
 */
export async function seqOfMessage(
  em: EntityManager,
  conversationId: ConversationId,
  messageId: number,
): Promise<number | undefined> {
  const [row] = await em.query<{ seq: number }[]>(
    'SELECT seq FROM message_ids WHERE id = ? AND conversation_id = ?',
    [messageId, conversationId],
  );
  return row?.seq;
}
