import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { Flag, Id, Ids, OneOf, PageNumber, PerPage, QueryOneOf, Text, Url } from '../../common/input/fields';
import { Timestamp } from '../../common/input/moment-fields';
import { CONVERSATION_TYPES, type ConversationType } from '../entities/conversation.entity';

const MAX_NAME = 100;
const MAX_AVATAR = 500;

/** A field that only conversations of one type have. */
const Only = (type: ConversationType): PropertyDecorator =>
  ValidateIf((body: CreateConversationRequest) => body.type === type);

export class ListConversationsQuery {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;

  /** All conversations when left out. */
  @OneOf(CONVERSATION_TYPES, { optional: true })
  type?: ConversationType;

  /** 1: those that are hidden, and no others; else those that are not. */
  @QueryOneOf([0, 1])
  hidden?: number;
}

export class CreateConversationRequest {
  @OneOf(CONVERSATION_TYPES)
  type!: ConversationType;

  /** Single chats: the other user; required. */
  @ApiPropertyOptional()
  @Only('single')
  @Id()
  peer_id!: number;

  /** Groups: required. */
  @ApiPropertyOptional()
  @Only('group')
  @Text({ max: MAX_NAME })
  name!: string;

  /** Groups: who is in it besides the creator, who becomes the owner. */
  @Only('group')
  @Ids({ optional: true })
  member_ids?: number[];

  /** Groups: URL of a picture. */
  @Only('group')
  @Url({ max: MAX_AVATAR, optional: true })
  avatar?: string;
}

export class ChangeConversationRequest {
  @Text({ max: MAX_NAME, optional: true, filled: true })
  name?: string;

  /** URL of a picture; null removes it. */
  @Url({ max: MAX_AVATAR, optional: true, nullable: true })
  avatar?: string | null;
}

export class ConversationSettingsRequest {
  /** Comes first in one's list. */
  @Flag({ optional: true })
  pinned?: boolean;

  /** Does not count in the total of unread messages. */
  @Flag({ optional: true })
  muted?: boolean;

  /** Is left out of one's list until the next message. */
  @Flag({ optional: true })
  hidden?: boolean;

  /** Muted until then; null ends that. */
  @Timestamp({ optional: true, nullable: true })
  mute_until?: Date | null;
}

export class ChangeOwnerRequest {
  /** A member of the group. */
  @Id()
  user_id!: number;
}

export class MembersQuery {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;
}

export class AddMembersRequest {
  @Ids()
  user_ids!: number[];
}
