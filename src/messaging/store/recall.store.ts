import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { forcePrimaryKey, placeholders } from '../../database/sql/dialect';
import { ConversationEntity } from '../entities/conversation.entity';
import { MessageRecallEntity } from '../entities/message-recall.entity';
import { MessageEntity } from '../entities/message.entity';
import { changeConversationCounts } from './conversation-counts.store';
import { lockMembers } from './members.store';
import type { Membership } from './membership.store';
import type { MessageRow } from './message.store';
import { deleteMentions } from './mention.store';

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
