import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import type { ConversationId, UserId } from '../../common/ids';
import { EventsService } from '../../events/events.service';
import { toSharedEvent } from '../../events/log/event';
import { topicLog } from '../../events/log/log-id';
import { UsersService } from '../../identity/users.service';
import { ConversationEvents } from '../events/conversation-events';
import { NO_ATTACHMENTS } from '../rules/message-attachments.rules';
import { NO_MENTIONS } from '../rules/mentions.rules';
import type { Notice } from '../rules/notice.rules';
import { allotNotice, insertNotice, noticeContext } from '../store/notice.store';
import type { MessageRow } from '../store/message.store';
import { MessageViews } from '../views/message.views';

/**
 * Writes notices, each in the transaction of the change that it reports (API 8.11): messages that do not change unread
 * counts and read positions.
 */
@Injectable()
export class NoticeWriter {
  constructor(
    private readonly clock: Clock,
    private readonly users: UsersService,
    private readonly views: MessageViews,
    private readonly events: EventsService,
    private readonly conversationEvents: ConversationEvents,
  ) {}

  /**
   * Adds a notice to a conversation, whose lock the caller holds. Writes nothing if the conversation has no members.
   * Publishes `message.created`, to all members, and `conversation.updated`, to members who had hidden the conversation.
   * @param actorId sender of the notice; need not be a member
   * @param content text of the notice in the language of the service
   * @param maxMembers writes nothing if the conversation has more members
   */
  async write(
    em: EntityManager,
    conversationId: ConversationId,
    actorId: UserId,
    { notice, content }: { notice: Notice; content: string },
    maxMembers = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const context = await noticeContext(em, conversationId);
    if (context === undefined || context.member_count === 0 || context.member_count > maxMembers) return;
    const sender = (await this.users.findByIds([actorId], em)).get(actorId);
    const row: MessageRow = {
      ...(await allotNotice(em, context)),
      conversation_id: conversationId,
      sender_id: actorId,
      sender_name: sender?.name ?? null,
      sender_avatar: sender?.avatar ?? null,
      type: 'text',
      content,
      extra: null,
      attachments: NO_ATTACHMENTS,
      created_at: this.clock.now(),
      is_recalled: false,
      reply_seq: null,
      ...NO_MENTIONS,
      is_forwarded: false,
      edited_at: null,
      has_reactions: false,
      notice,
      client_msg_id: null,
    };
    const members = await insertNotice(em, context, row);
    const type = 'message.created';
    const view = this.views.describeNotice(row);
    if (context.pulled) {
      const payload = { message: view, seq: row.seq };
      return this.events.appendToTopic(em, topicLog(conversationId), { type, payload });
    }
    const { is_self: _, ...message } = view;
    const shared = { conversation_id: conversationId, message };
    this.events.append(
      em,
      members.map(({ user_id: userId, unread_count }) => {
        const own = { message: { is_self: userId === actorId }, unread_count };
        return toSharedEvent({ userId, type, shared, own });
      }),
    );
    const hidingIds = members.filter(({ hidden }) => hidden).map(({ user_id }) => user_id);
    await this.conversationEvents.updatedFor(em, conversationId, hidingIds);
  }
}
