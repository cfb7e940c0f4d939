import { Injectable } from '@nestjs/common';
import { AvatarsService } from '../../attachments/services/avatars.service';
import { addAvatarUse, removeAvatarUses } from '../../attachments/store/avatar-uses.store';
import type { ConversationId, UserId } from '../../common/ids';
import { Clock } from '../../common/clock';
import { invalidField } from '../../common/errors/business-error';
import { sentFields } from '../../common/input/sent-fields';
import type { ConversationResponse } from '../dto/conversation.dto';
import type {
  ChangeConversationRequest,
  ConversationSettingsRequest,
} from '../dto/conversation-requests.dto';
import { ConversationEvents } from '../events/conversation-events';
import { endsTooEarly } from '../rules/mute.rules';
import { changeSettings } from '../store/member-settings.store';
import { assertOwner } from '../store/membership.store';
import { updateFace } from '../store/membership-changes.store';
import { LockedConversations } from './locked-conversations';
import { MemberNotices } from './member-notices';

/** Changes conversations for all members, or their settings for one member. */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly conversations: LockedConversations,
    private readonly clock: Clock,
    private readonly avatars: AvatarsService,
    private readonly events: ConversationEvents,
    private readonly notices: MemberNotices,
  ) {}

  /**
   * Changes a group's name or picture. Only the owner may (API 7.4, 17.7).
   * @throws {BusinessError} CONVERSATION_FORBIDDEN, NOT_ALLOWED (not the owner), the errors of `AvatarsService.make`
   */
  async change(
    userId: UserId,
    conversationId: ConversationId,
    { name, avatar, avatar_attachment_id }: ChangeConversationRequest,
  ): Promise<ConversationResponse> {
    assertOwner(await this.conversations.membership(userId, conversationId));
    const made = await this.avatars.make(userId, avatar_attachment_id);
    const changes = sentFields({ name, avatar: made?.url ?? avatar });
    return this.conversations.changeConversation(userId, conversationId, async (em, membership) => {
      assertOwner(membership);
      if (Object.keys(changes).length === 0) return;
      const before = await this.notices.faceOf(em, conversationId);
      await updateFace(em, conversationId, changes);
      if (changes.avatar !== undefined) await removeAvatarUses(em, 'conversation', [conversationId]);
      if (made !== undefined) await addAvatarUse(em, 'conversation', conversationId, made);
      await this.events.updated(em, conversationId);
      await this.notices.changed(em, conversationId, userId, before, changes);
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
    return this.conversations.changeConversation(userId, conversationId, async (em, membership) => {
      if (await changeSettings(em, membership, settings))
        await this.events.updatedFor(em, conversationId, [userId]);
    });
  }
}
