import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { forcePrimaryKey, placeholders } from '../../database/sql/dialect';
import { deleteRows } from '../../database/sql/statements';
import { ConversationEntity } from '../entities/conversation.entity';
import { MessageMentionEntity } from '../entities/message-mention.entity';
import { MessageRecallEntity } from '../entities/message-recall.entity';
import { MessageEntity } from '../entities/message.entity';
import { EVERYBODY, idsOf, type Mentions } from '../rules/mentions.rules';
import { changeConversationCounts } from './conversation-counts.store';
import { lockMembers } from './members.store';
import type { Membership } from './membership.store';
import type { MessageRow } from './message.store';

/**
 * Recalls a message: empties its content but keeps its row, removes its mentions, and subtracts it from the unread
 * counts of the members who have not read it. The caller holds the conversation lock.
 */
export async function recallMessage(
  em: EntityManager,
  { conversation_id, type, pulled: fanOutOnRead }: Membership,
  message: MessageRow,
  recalled_at: Date,
): Promise<void> {
  const { seq } = message;
  const emptied = {
    content: '',
    extra: null,
    attachments: null,
    reply_seq: null,
    mentions: null,
    edited_at: null,
  };
  await em.update(MessageEntity, { conversation_id, seq }, { ...emptied, recalled_at });
  await deleteMentions(em, message);
  await em.query(
    `UPDATE conversation_members ${forcePrimaryKey(em)} SET recalled_ahead = recalled_ahead + 1
     WHERE conversation_id = ? AND read_seq < ?`,
    [conversation_id, seq],
  );
  const members = fanOutOnRead ? [] : await lockMembers(em, conversation_id);
  changeConversationCounts(
    em,
    members
      .filter(({ read_seq, muted }) => read_seq < seq && !muted)
      .map(({ user_id }) => ({ user_id, type, unread: -1 })),
  );
  await em.insert(MessageRecallEntity, { conversation_id, seq });
  const lastRecalled = {
    last_recalled_seq: () => `CASE WHEN last_recalled_seq > ${seq} THEN last_recalled_seq ELSE ${seq} END`,
  };
  await em.update(ConversationEntity, { id: conversation_id }, lastRecalled);
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
export async function deleteMentions(
  em: EntityManager,
  message: Mentions & { conversation_id: number; seq: number },
): Promise<void> {
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

/** Returns those of these ids that are recalled messages, or no messages: those of a removed conversation. */
export async function withdrawnAmong(em: EntityManager, ids: readonly number[]): Promise<Set<number>> {
  const withdrawn = new Set(ids);
  for (const chunk of inChunks(ids)) {
    const rows = await em.query<{ id: number }[]>(
      `SELECT i.id FROM message_ids i JOIN messages m ON m.conversation_id = i.conversation_id AND m.seq = i.seq
       WHERE i.id IN (${placeholders(chunk)}) AND m.recalled_at IS NULL`,
      chunk,
    );
    for (const { id } of rows) withdrawn.delete(id);
  }
  return withdrawn;
}
