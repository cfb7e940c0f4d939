import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Avatar, AvatarsService } from '../../attachments/services/avatars.service';
import { addAvatarUse, removeAvatarUses } from '../../attachments/store/avatar-uses.store';
import { Clock } from '../../common/clock';
import type { ConversationId, UserId } from '../../common/ids';
import { sentFields } from '../../common/input/sent-fields';
import type { ChangeConversationRequest, CreateConversationRequest } from '../dto/conversation-requests.dto';
import { ConversationEvents } from '../events/conversation-events';
import { type NewConversation, updateFace } from '../store/membership-changes.store';
import { MemberNotices } from './member-notices';

/** Changes of the name and the picture of a group. */
export interface FaceChanges {
  changes: { name?: string; avatar?: string | null };
  /** The picture, if it is made of an attachment. */
  made: Avatar | undefined;
}

/** Names and pictures of conversations (API 7.4, 17.7). */
@Injectable()
export class ConversationFaces {
  constructor(
    private readonly clock: Clock,
    private readonly avatars: AvatarsService,
    private readonly events: ConversationEvents,
    private readonly notices: MemberNotices,
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

  /** Prepares the change of a group, before its transaction. @throws {BusinessError} the errors of `AvatarsService.make` */
  async prepare(
    userId: UserId,
    { name, avatar, avatar_attachment_id }: ChangeConversationRequest,
  ): Promise<FaceChanges> {
    const made = await this.avatars.make(userId, avatar_attachment_id);
    return { changes: sentFields({ name, avatar: made?.url ?? avatar }), made };
  }

  /** Changes a group, whose lock the caller holds. */
  async change(
    em: EntityManager,
    userId: UserId,
    conversationId: ConversationId,
    { changes, made }: FaceChanges,
  ): Promise<void> {
    if (Object.keys(changes).length === 0) return;
    const before = await this.notices.faceOf(em, conversationId);
    await updateFace(em, conversationId, changes);
    if (changes.avatar !== undefined) await removeAvatarUses(em, 'conversation', [conversationId]);
    await this.noteAvatar(em, conversationId, made);
    await this.events.updated(em, conversationId);
    await this.notices.changed(em, conversationId, userId, before, changes);
  }

  /** Stores that the picture of a group is made of an attachment. */
  async noteAvatar(
    em: EntityManager,
    conversationId: ConversationId,
    made: Avatar | undefined,
  ): Promise<void> {
    if (made !== undefined) await addAvatarUse(em, 'conversation', conversationId, made);
  }
}
