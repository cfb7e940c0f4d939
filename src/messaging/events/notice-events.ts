import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService } from '../../events/events.service';
import { topicLog } from '../../events/log/log-id';
import { AlikeEvents } from '../../events/log/split-payload';
import type { HeldMember } from '../store/members.queries';
import type { NoticeContext } from '../store/marks/notice-rows';
import { ConversationEvents } from './conversation-events';
import type { SeenMessage } from './group-event';

/** Tells of notices: messages that leave everybody's counts and positions as they are. */
@Injectable()
export class NoticeEvents {
  constructor(
    private readonly events: EventsService,
    private readonly conversationEvents: ConversationEvents,
  ) {}

  /**
   * `message.created`, to all members, and `conversation.updated` to those who had hidden the conversation.
   * @param members as they stood before, held; nobody where the conversation is fanned out on read
   * @param notice as others than its sender see it
   */
  async created(
    em: EntityManager,
    { conversation_id, pulled: fanOutOnRead, max_seq }: NoticeContext,
    members: readonly HeldMember[],
    notice: SeenMessage,
  ): Promise<void> {
    const type = 'message.created';
    if (fanOutOnRead) {
      const payload = { message: notice, seq: max_seq + 1 };
      return this.events.appendToTopic(em, topicLog(conversation_id), { type, payload });
    }
    const { is_self: _, ...message } = notice;
    const alike = new AlikeEvents(type, { conversation_id }, 'message', message);
    this.events.append(
      em,
      members.map(({ user_id, unread_count }) =>
        alike.to(user_id, { is_self: user_id === notice.sender_id }, { unread_count }),
      ),
    );
    const hiding = members.filter(({ hidden }) => hidden).map(({ user_id }) => user_id);
    await this.conversationEvents.unhidden(em, conversation_id, hiding);
  }
}
