import type { EntityManager } from 'typeorm';
import { byPrimaryKey, placeholders, tupleList } from '../../../database/dialect';
import { deleteRows, insertRows } from '../../../database/rows';
import { MessageMentionEntity } from '../../entities/message-mention.entity';
import { EVERYBODY, idsOf, type Mentions } from '../../rules/mentions';

/*
 * Whom messages mention (contract 16.3). A member's row has the newest one that names the member, the conversation's the
 * newest for everybody, so a mention writes to those it names alone. Every writer holds the conversation.
 */

/** A message of a conversation that mentions somebody. */
export interface Mentioning extends Mentions {
  conversation_id: number;
  seq: number;
}

/** Writes down whom new messages mention, who are newer than all before; nothing where they mention nobody. */
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
        `UPDATE conversation_members ${byPrimaryKey(em)} SET last_mention_seq = ?
         WHERE conversation_id = ? AND user_id IN (${placeholders(mentions)})`,
        [seq, conversation_id, ...mentions],
      );
}

/**
 * The newest message of those left that mention somebody; `user` is an expression. The end of an index: MAX would read
 * all of a user's mentions on MySQL.
 */
const newestOf = (conversation: string, user: string): string =>
  `COALESCE((SELECT n.seq FROM message_mentions n
     WHERE n.conversation_id = ${conversation} AND n.user_id = ${user} ORDER BY n.seq DESC LIMIT 1), 0)`;

/** Takes a message's mentions back: what those whom it mentioned have left is the newest of the others. */
export async function takeMentionsBack(em: EntityManager, message: Mentioning): Promise<void> {
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
      `UPDATE conversation_members ${byPrimaryKey(em)}
       SET last_mention_seq = ${newestOf('conversation_members.conversation_id', 'conversation_members.user_id')}
       WHERE conversation_id = ? AND user_id IN (${placeholders(mentions)}) AND last_mention_seq = ?`,
      [conversation_id, ...mentions, seq],
    );
}

/** A user in a conversation. */
export interface Place {
  conversation_id: number;
  user_id: number;
}

/** How a member of a conversation stands to what was said in it. */
export interface MemberPlace extends Place {
  join_seq: number;
  cleared_seq: number;
  last_deleted_seq: number;
}

/** Those of some places that are members'. */
export async function membersAmong(em: EntityManager, places: readonly Place[]): Promise<MemberPlace[]> {
  if (places.length === 0) return [];
  return em.query<MemberPlace[]>(
    `SELECT conversation_id, user_id, join_seq, cleared_seq, last_deleted_seq FROM conversation_members ${byPrimaryKey(em)}
     WHERE (conversation_id, user_id) IN ${tupleList(em, places, '?, ?')}`,
    places.flatMap(({ conversation_id, user_id }) => [conversation_id, user_id]),
  );
}
