import type { EntityManager } from 'typeorm';
import { byPrimaryKey } from '../../database/dialect';
import { ConversationEntity } from '../entities/conversation.entity';
import { MessageRecallEntity } from '../entities/message-recall.entity';
import { MessageEntity } from '../entities/message.entity';
import { changeCounts } from './conversation-counts';
import { heldMembers } from './members.queries';
import type { Membership } from './membership';
import type { Message } from './message.queries';
import { takeMentionsBack } from './messages/mention-rows';

/**
 * Takes a message back: its row stays, without the content, the members who have not read it yet have one less to read,
 * and those whom it mentions have one mention less. The conversation is under its lock.
 */
export async function recallMessage(
  em: EntityManager,
  { conversation_id, type, pulled: fanOutOnRead }: Membership,
  message: Message,
  recalled_at: Date,
): Promise<void> {
  const { seq } = message;
  const nothing = { content: '', extra: null, reply_seq: null, mentions: null, edited_at: null };
  await em.update(MessageEntity, { conversation_id, seq }, { ...nothing, recalled_at });
  await takeMentionsBack(em, message);
  await em.query(
    `UPDATE conversation_members ${byPrimaryKey(em)} SET recalled_ahead = recalled_ahead + 1
     WHERE conversation_id = ? AND read_seq < ?`,
    [conversation_id, seq],
  );
  const behind = fanOutOnRead ? [] : await heldMembers(em, conversation_id);
  changeCounts(
    em,
    behind
      .filter(({ read_seq, muted }) => read_seq < seq && !muted)
      .map(({ user_id }) => ({ user_id, type, unread: -1 })),
  );
  await em.insert(MessageRecallEntity, { conversation_id, seq });
  const highest = {
    last_recalled_seq: () => `CASE WHEN last_recalled_seq > ${seq} THEN last_recalled_seq ELSE ${seq} END`,
  };
  await em.update(ConversationEntity, { id: conversation_id }, highest);
}
