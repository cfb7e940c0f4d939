import type { EntityManager } from 'typeorm';
import {
  forcePrimaryKey,
  placeholders,
  toSqlTimestamp,
  tupleList,
  tupleListOfChange,
} from '../../database/sql/dialect';
import type { ConversationId, MessageId } from '../../common/ids';
import { insertAllotted, insertRows } from '../../database/sql/statements';
import { MessageIdEntity } from '../entities/message-id.entity';
import { MessageMentionEntity } from '../entities/message-mention.entity';
import { MessageEntity } from '../entities/message.entity';
import { storedAttachments } from '../rules/message-attachments.rules';
import { EVERYBODY, idsOf, storedMentions } from '../rules/mentions.rules';
import type { MessageRow } from './message.store';

/* Inserts and updates for sent messages. */

/** A message to insert. */
export interface NewMessage extends MessageRow {
  /** Hash of the content as it was sent; null without a `client_msg_id`. */
  content_hash: string | null;
}

/** Returns a CASE expression with a number for each of these keys; `otherwise` is its value for other keys. */
const caseOf = (column: string, numbers: ReadonlyMap<number, number>, otherwise: string): string =>
  `CASE ${column} ${Array.from(numbers, () => 'WHEN ? THEN ?').join(' ')} ELSE ${otherwise} END`;

/**
 * Sets the number of the newest message of each conversation (conversation id → number). The caller holds the
 * conversation locks.
 */
export async function advanceMaxSeq(em: EntityManager, maxSeqs: ReadonlyMap<number, number>): Promise<void> {
  const ids = [...maxSeqs.keys()];
  await em.query(
    `UPDATE conversations SET max_seq = ${caseOf('id', maxSeqs, 'max_seq')} WHERE id IN (${placeholders(ids)})`,
    [...[...maxSeqs].flat(), ...ids],
  );
}

/** Allocates ids for new messages, in their order. */
export async function allotIds(
  em: EntityManager,
  keys: Pick<MessageRow, 'conversation_id' | 'seq'>[],
): Promise<MessageId[]> {
  const rows = keys.map(({ conversation_id, seq }) => ({ conversation_id, seq }));
  return (await insertAllotted(em, MessageIdEntity, rows)) as MessageId[];
}

/** @throws {QueryFailedError} unique key violation: a `client_msg_id` was used before */
export async function insertMessages(em: EntityManager, messages: readonly NewMessage[]): Promise<void> {
  const rows = messages.map(({ conversation_id, seq, id, sender_id, type, content, extra, ...message }) => ({
    conversation_id,
    seq,
    id,
    sender_id,
    type,
    content,
    extra: extra === null ? null : JSON.stringify(extra),
    attachments: storedAttachments(message.attachments),
    created_at: message.created_at,
    recalled_at: null,
    reply_seq: message.reply_seq,
    mentions: storedMentions(message),
    is_forwarded: message.is_forwarded,
    edited_at: null,
    client_msg_id: message.client_msg_id,
    content_hash: message.content_hash,
  }));
  await insertRows(em, MessageEntity, rows);
}

/**
 * Records the mentions of new messages, which are newer than all messages recorded before (API 8.5). A member's row
 * stores the newest message that names the member, the conversation's row the newest that mentions everybody, so a
 * mention updates only the rows of the members that it names.
 */
export async function recordMentions(em: EntityManager, messages: readonly NewMessage[]): Promise<void> {
  const rows = messages.flatMap((message) =>
    idsOf(message).map((user_id) => ({
      conversation_id: message.conversation_id,
      user_id,
      seq: message.seq,
    })),
  );
  if (rows.length === 0) return;
  await insertRows(em, MessageMentionEntity, rows);
  const everybody = rows.filter(({ user_id }) => user_id === EVERYBODY);
  for (const { conversation_id, seq } of everybody)
    await em.query('UPDATE conversations SET last_mention_all_seq = ? WHERE id = ?', [seq, conversation_id]);
  for (const { conversation_id, seq, mentions } of messages)
    if (mentions.length > 0)
      await em.query(
        `UPDATE conversation_members ${forcePrimaryKey(em)} SET last_mention_seq = ?
         WHERE conversation_id = ? AND user_id IN (${placeholders(mentions)})`,
        [seq, conversation_id, ...mentions],
      );
}

/** A conversation with new messages, and the new read positions of their senders. */
export interface ConversationSends {
  conversation_id: ConversationId;
  pulled: boolean;
  notice_count: number;
  /** Sender id → number of the last message of the sender. */
  positions: ReadonlyMap<number, number>;
}

/**
 * Moves the senders' read positions, and moves the conversations to the top of the lists and out of hiding. In small
 * conversations this updates the rows of all members; in large groups only the rows of the senders, whose hiding ends.
 */
export async function updateMembersAfterSends(
  em: EntityManager,
  moved: readonly ConversationSends[],
  sortAt: Date,
): Promise<void> {
  const large = moved.filter(({ pulled }) => pulled);
  const small = moved.filter(({ pulled }) => !pulled);
  const updates: Promise<void>[] = [];
  if (small.length > 0) {
    const ids = small.map(({ conversation_id }) => conversation_id);
    const end = `, sort_at = ? WHERE conversation_id IN (${placeholders(ids)})`;
    updates.push(updateMembers(em, small, end, [toSqlTimestamp(em, sortAt), ...ids]));
  }
  if (large.length > 0) {
    const senders = sendersOf(large);
    const end = ` WHERE (conversation_id, user_id) IN ${tupleListOfChange(em, senders, '?, ?')}`;
    updates.push(updateMembers(em, large, end, senders.flat()));
  }
  await Promise.all(updates);
}

const sendersOf = (moved: readonly ConversationSends[]): [conversationId: number, userId: number][] =>
  moved.flatMap(({ conversation_id, positions }) =>
    Array.from(positions.keys(), (userId): [number, number] => [conversation_id, userId]),
  );

async function updateMembers(
  em: EntityManager,
  moved: readonly ConversationSends[],
  end: string,
  parameters: unknown[],
): Promise<void> {
  const cases = moved.map(({ positions }) => `WHEN ? THEN ${caseOf('user_id', positions, 'read_seq')}`);
  const senders = sendersOf(moved);
  const notices = readNotices(moved);
  await em.query(
    `UPDATE conversation_members ${forcePrimaryKey(em)} SET hidden = 0,
       read_seq = CASE conversation_id ${cases.join(' ')} ELSE read_seq END,
       recalled_ahead = CASE WHEN (conversation_id, user_id) IN ${tupleList(em, senders, '?, ?')} THEN 0
         ELSE recalled_ahead END${notices.sql}${end}`,
    [
      ...moved.flatMap(({ conversation_id, positions }) => [conversation_id, ...[...positions].flat()]),
      ...senders.flat(),
      ...notices.parameters,
      ...parameters,
    ],
  );
}

/** Returns the assignment of `notices_read`, which only conversations with notices need. */
function readNotices(moved: readonly ConversationSends[]): { sql: string; parameters: number[] } {
  const noticed = moved.filter(({ notice_count }) => notice_count > 0);
  if (noticed.length === 0) return { sql: '', parameters: [] };
  const cases = noticed.map(
    ({ positions }) =>
      `WHEN conversation_id = ? AND user_id IN (${placeholders([...positions.keys()])}) THEN ?`,
  );
  return {
    sql: `, notices_read = CASE ${cases.join(' ')} ELSE notices_read END`,
    parameters: noticed.flatMap(({ conversation_id, positions, notice_count }) => [
      conversation_id,
      ...positions.keys(),
      notice_count,
    ]),
  };
}
