import type { EntityManager } from 'typeorm';
import { forcePrimaryKey, placeholders, tupleList } from '../../database/sql/dialect';
import { deleteRows, insertRows } from '../../database/sql/statements';
import { MessageMentionEntity } from '../entities/message-mention.entity';
import { EVERYBODY, idsOf, type Mentions } from '../rules/mentions.rules';

/*
 * Mentions in messages (API 8.5). A member's row stores the newest message that names the member, the
 * conversation's row the newest that mentions everybody, so a mention updates only the rows of the members it names.
 * Every writer holds the conversation lock.
 */

/** A message with its mentions. */
export interface Mentioning extends Mentions {
  conversation_id: number;
  seq: number;
}

/**
 * Records the mentions of new messages, which are newer than all messages recorded before. Writes nothing when there
 * are none.
 */
export async function recordMentions(em: EntityManager, messages: readonly Mentioning[]): Promise<void> {
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

/**
 * Expression: the newest remaining message that mentions a user; `conversation` and `user` are expressions. Reads the
 * end of an index: MAX would read all mentions of a user on MySQL.
 */
const newestOf = (conversation: string, user: string): string =>
  `COALESCE((SELECT n.seq FROM message_mentions n
     WHERE n.conversation_id = ${conversation} AND n.user_id = ${user} ORDER BY n.seq DESC LIMIT 1), 0)`;

/**
 * Deletes the mentions of a message; the newest remaining message becomes the newest mention of each mentioned user.
 */
export async function deleteMentions(em: EntityManager, message: Mentioning): Promise<void> {
  const { conversation_id, seq, mentions, mention_all } = message;
  const ids = idsOf(message);
  if (ids.length === 0) return;
  await deleteRows(em, MessageMentionEntity, { conversation_id, user_id: ids, seq });
  if (mention_all)
    await em.query(
      `UPDATE conversations SET last_mention_all_seq = ${newestOf('conversations.id', String(EVERYBODY))}
       WHERE id = ? AND last_mention_all_seq = ?`,
      [conversation_id, seq],
    );
  if (mentions.length > 0)
    await em.query(
      `UPDATE conversation_members ${forcePrimaryKey(em)}
       SET last_mention_seq = ${newestOf('conversation_members.conversation_id', 'conversation_members.user_id')}
       WHERE conversation_id = ? AND user_id IN (${placeholders(mentions)}) AND last_mention_seq = ?`,
      [conversation_id, ...mentions, seq],
    );
}

/** A user in a conversation. */
export interface MentionedMember {
  conversation_id: number;
  user_id: number;
}

/** A member, and which messages of the conversation the member sees. */
export interface MemberPlace extends MentionedMember {
  join_seq: number;
  cleared_seq: number;
  last_deleted_seq: number;
}

/** Returns the members among these users. */
export async function membersAmong(
  em: EntityManager,
  places: readonly MentionedMember[],
): Promise<MemberPlace[]> {
  if (places.length === 0) return [];
  return em.query<MemberPlace[]>(
    `SELECT conversation_id, user_id, join_seq, cleared_seq, last_deleted_seq FROM conversation_members ${forcePrimaryKey(em)}
     WHERE (conversation_id, user_id) IN ${tupleList(em, places, '?, ?')}`,
    places.flatMap(({ conversation_id, user_id }) => [conversation_id, user_id]),
  );
}
