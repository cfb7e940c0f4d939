import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../common/clock';
import { BusinessError } from '../common/errors/business-error';
import { CONFIG, type Config } from '../config/config';
import { Transactions } from '../database/transactions';
import type { MessageResponse } from './dto/message.dto';
import { ConversationEntity } from './entities/conversation.entity';
import { MessageIdEntity } from './entities/message-id.entity';
import { MessageRecallEntity } from './entities/message-recall.entity';
import { MessageEntity } from './entities/message.entity';
import { ConversationEvents } from './conversation-events';
import { findMembership, lockConversation, type Membership } from './membership';
import { type Message, messagesIn } from './message.queries';
import { MessageViews } from './message-views.service';

/** Taking messages back. */
@Injectable()
export class RecallsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly views: MessageViews,
    private readonly events: ConversationEvents,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The sender takes a message back, within `MESSAGE_RECALL_SECONDS`; its row stays, without the content. Again is
   * the same answer, at any time.
   * @throws {BusinessError} MESSAGE_NOT_FOUND (or not the user's to see), NOT_ALLOWED (another's), RECALL_TOO_LATE
   */
  async recall(id: number, userId: number): Promise<MessageResponse> {
    const place = await this.dataSource.manager.findOneBy(MessageIdEntity, { id });
    if (place === null) throw new BusinessError('MESSAGE_NOT_FOUND');
    const now = this.clock.now();
    return this.transactions.run(async (em) => {
      await lockConversation(em, place.conversation_id);
      const found = await findOwn(em, place, userId);
      if (found.message.is_recalled) return this.views.describeOne(found.membership, found.message, em);
      if (now > plusSeconds(found.message.created_at, this.config.messageRecallSeconds))
        throw new BusinessError('RECALL_TOO_LATE');
      await write(em, place, now);
      const message = { ...found.message, content: '', extra: null, is_recalled: true };
      const answer = await this.views.describeOne(found.membership, message, em);
      await this.events.recalled(em, found.membership, message, answer);
      return answer;
    });
  }
}

/** The message, if it is the user's to see and to recall. */
async function findOwn(
  em: EntityManager,
  { conversation_id, seq }: MessageIdEntity,
  userId: number,
): Promise<{ membership: Membership; message: Message }> {
  const membership = await findMembership(em, conversation_id, userId);
  const [message] = await messagesIn(em, conversation_id, { from: seq, to: seq });
  if (membership === undefined || message === undefined || seq < membership.join_seq)
    throw new BusinessError('MESSAGE_NOT_FOUND');
  if (message.sender_id !== userId) throw new BusinessError('NOT_ALLOWED');
  return { membership, message };
}

async function write(
  em: EntityManager,
  { conversation_id, seq }: MessageIdEntity,
  recalled_at: Date,
): Promise<void> {
  await em.update(MessageEntity, { conversation_id, seq }, { content: '', extra: null, recalled_at });
  await em.insert(MessageRecallEntity, { conversation_id, seq });
  const highest = {
    last_recalled_seq: () => `CASE WHEN last_recalled_seq > ${seq} THEN last_recalled_seq ELSE ${seq} END`,
  };
  await em.update(ConversationEntity, { id: conversation_id }, highest);
}
