import { Injectable } from '@nestjs/common';
import type { ConversationId, UserId } from '../../common/ids';
import { Clock } from '../../common/clock';
import { invalidField } from '../../common/errors/business-error';
import type { ConversationResponse } from '../dto/conversation.dto';
import type {
  ChangeConversationRequest,
  ConversationSettingsRequest,
} from '../dto/conversation-requests.dto';
import { ConversationEvents } from '../events/conversation-events';
import { endsTooEarly } from '../rules/mute.rules';
import { changeSettings } from '../store/member-settings.store';
import { assertOwner } from '../store/membership.store';
import { ConversationViews } from '../views/conversation.views';
import { ConversationFaces } from './conversation-faces';
import { LockedConversations } from './locked-conversations';

/** Changes conversations for all members, or their settings for one member. */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly conversations: LockedConversations,
    private readonly clock: Clock,
    private readonly views: ConversationViews,
    private readonly events: ConversationEvents,
    private readonly faces: ConversationFaces,
  ) {}

  /**
   * Changes a group's name or picture. Only the owner may.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, NOT_ALLOWED (not the owner), the errors of `AvatarsService.make`
   */
  async change(
    userId: UserId,
    conversationId: ConversationId,
    body: ChangeConversationRequest,
  ): Promise<ConversationResponse> {
    assertOwner(await this.conversations.membership(userId, conversationId));
    const face = await this.faces.prepare(userId, body);
    return this.conversations.withConversation(userId, conversationId, async (em, membership) => {
      assertOwner(membership);
      await this.faces.change(em, userId, conversationId, face);
      return this.views.one(userId, conversationId, em);
    });
  }

  /**
   * Changes the member's settings of a conversation. Hiding lasts until the next message, a timed mute until its end.
   * @throws {BusinessError} VALIDATION (`mute_until` is not in the future), CONVERSATION_FORBIDDEN
   */
  async changeSettings(
    userId: UserId,
    conversationId: ConversationId,
    settings: ConversationSettingsRequest,
  ): Promise<ConversationResponse> {
    if (endsTooEarly(settings, this.clock.now())) throw invalidField('mute_until', 'invalid');
    await this.conversations.membership(userId, conversationId);
    return this.conversations.withConversation(userId, conversationId, async (em, membership) => {
      if (await changeSettings(em, membership, settings))
        await this.events.updatedFor(em, conversationId, [userId]);
      return this.views.one(userId, conversationId, em);
    });
  }
}
