import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService } from '../../events/events.service';
import { topicLog } from '../../events/log/log-id';
import { toSharedEvent } from '../../events/log/event';
import type { LockedMember } from '../store/members.store';
import type { NoticeContext } from '../store/notice.store';
import { ConversationEvents } from './conversation-events';
import type { MessageView } from './event-payloads';

/** Publishes notices: messages that do not change unread counts and read positions. */
@Injectable()
export class NoticeEvents {
  constructor(
    private readonly events: EventsService,
    private readonly conversationEvents: ConversationEvents,
  ) {}

  /**
   * `message.created`, to all members, and `conversation.updated`, to members who had hidden the conversation.
   * @param members their state before the notice, with their rows locked; empty if the conversation is fanned out on
   *   read
   * @param notice as members other than its sender see it
   */
  async created(
    em: EntityManager,
    { conversation_id, pulled: fanOutOnRead, max_seq }: NoticeContext,
    members: readonly LockedMember[],
    notice: MessageView,
  ): Promise<void> {
    const type = 'message.created';
    if (fanOutOnRead) {
      const payload = { message: notice, seq: max_seq + 1 };
      return this.events.appendToTopic(em, topicLog(conversation_id), { type, payload });
    }
    const { is_self: _, ...message } = notice;
    const shared = { conversation_id, message };
    this.events.append(
      em,
      members.map(({ user_id: userId, unread_count }) => {
        const own = { message: { is_self: userId === notice.sender_id }, unread_count };
        return toSharedEvent({ userId, type, shared, own });
      }),
    );
    const hidingIds = members.filter(({ hidden }) => hidden).map(({ user_id }) => user_id);
    await this.conversationEvents.updatedFor(em, conversation_id, hidingIds);
  }
}
