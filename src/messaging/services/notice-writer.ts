import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import type { ConversationId, UserId } from '../../common/ids';
import { UsersService } from '../../identity/users.service';
import { NoticeEvents } from '../events/notice-events';
import { NO_ATTACHMENTS } from '../rules/message-attachments.rules';
import { NO_MENTIONS } from '../rules/mentions.rules';
import type { Notice } from '../rules/notice.rules';
import { allotNotice, insertNotice, noticeContext } from '../store/notice.store';
import type { MessageRow } from '../store/message.store';
import { MessageViews } from '../views/message.views';

/** A notice, and its text in the language of the service. */
export interface NewNotice {
  notice: Notice;
  content: string;
}

/** Writes notices, each in the transaction of the change that it reports (API 8.11). */
@Injectable()
export class NoticeWriter {
  constructor(
    private readonly clock: Clock,
    private readonly users: UsersService,
    private readonly views: MessageViews,
    private readonly events: NoticeEvents,
  ) {}

  /**
   * Adds a notice to a conversation, whose lock the caller holds. Writes nothing if the conversation has no members.
   * @param actorId sender of the notice; need not be a member
   * @param maxMembers writes nothing if the conversation has more members
   */
  async write(
    em: EntityManager,
    conversationId: ConversationId,
    actorId: UserId,
    { notice, content }: NewNotice,
    maxMembers = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const context = await noticeContext(em, conversationId);
    if (context === undefined || context.member_count === 0 || context.member_count > maxMembers) return;
    const sender = (await this.users.findByIds([actorId], em)).get(actorId);
    const message: MessageRow = {
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
    const members = await insertNotice(em, context, message);
    await this.events.created(em, context, members, this.views.describeNotice(message));
  }
}
