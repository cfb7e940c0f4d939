import { Injectable } from '@nestjs/common';
import { type Avatar, AvatarsService } from '../../attachments/services/avatars.service';
import { Clock } from '../../common/clock';
import type { UserId } from '../../common/ids';
import type { CreateConversationRequest } from '../dto/conversation-requests.dto';
import type { NewConversation } from '../store/membership-changes.store';

/** Names and pictures of new conversations (API 7.3, 17.7). */
@Injectable()
export class ConversationFaces {
  constructor(
    private readonly clock: Clock,
    private readonly avatars: AvatarsService,
  ) {}

  /** Returns a new single chat, which shows name and picture of the peer. */
  newSingle(single_key: string): NewConversation {
    return { type: 'single', single_key, name: '', avatar: null, created_at: this.clock.now() };
  }

  /** Returns a new group. @throws {BusinessError} the errors of `AvatarsService.make` */
  async newGroup(
    userId: UserId,
    { name, avatar, avatar_attachment_id }: CreateConversationRequest,
  ): Promise<{ conversation: NewConversation; made: Avatar | undefined }> {
    const made = await this.avatars.make(userId, avatar_attachment_id);
    const face = { name, avatar: made?.url ?? avatar ?? null };
    const conversation = { type: 'group', single_key: null, ...face, created_at: this.clock.now() } as const;
    return { conversation, made };
  }
}
