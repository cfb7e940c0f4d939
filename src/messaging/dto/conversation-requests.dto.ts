import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { Flag, Id, Ids, OneOf, PageNumber, PerPage, QueryOneOf, Text, Url } from '../../common/input/fields';
import { Name } from '../../common/input/name-field';
import { Timestamp } from '../../common/input/moment-fields';
import { RequestExample } from '../../openapi/request-example.decorator';
import { MAX_CONVERSATION_NAME } from '../rules/limits.rules';
import { CONVERSATION_TYPES, type ConversationType } from '../entities/conversation.entity';

const MAX_AVATAR = 500;
const MAX_KEYWORD = 64;

/** Validates a field only in conversations of one type. */
const Only = (type: ConversationType): PropertyDecorator =>
  ValidateIf((body: CreateConversationRequest) => body.type === type);

export class ListConversationsQuery {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;

  /** Only single chats, or only groups; all conversations when left out. */
  @OneOf(CONVERSATION_TYPES, { optional: true })
  type?: ConversationType;

  /** 1: only hidden conversations; otherwise only those that are not hidden. */
  @QueryOneOf([0, 1])
  hidden?: number;

  /**
   * Only conversations whose name, or the peer's name or account, contains this, regardless of case; at most 64
   * characters.
   * @example "a"
   */
  @Text({ max: MAX_KEYWORD, optional: true })
  keyword?: string;
}

@RequestExample({ type: 'single', peer_id: 3 })
export class CreateConversationRequest {
  /** A single chat, of which there is one for each pair of users, or a group. */
  @OneOf(CONVERSATION_TYPES)
  type!: ConversationType;

  /** Single chats: the other user; required. */
  @ApiPropertyOptional()
  @Only('single')
  @Id()
  peer_id!: number;

  /**
   * Groups: the name, at most 100 characters; required.
   * @example "周末"
   */
  @ApiPropertyOptional()
  @Only('group')
  @Name({ max: MAX_CONVERSATION_NAME })
  name!: string;

  /**
   * Groups: the members besides the creator, who becomes the owner; at most 500.
   * @example [3, 4]
   */
  @Only('group')
  @Ids({ optional: true })
  member_ids?: number[];

  /**
   * Groups: URL of a picture, http or https, at most 500 characters.
   * @example "https://pictures.example/group.png"
   */
  @Only('group')
  @Url({ max: MAX_AVATAR, optional: true })
  avatar?: string;

  /**
   * Groups: an own uploaded image, of which the picture is made; replaces `avatar`.
   * @example 1
   */
  @Only('group')
  @Id({ optional: true })
  avatar_attachment_id?: number;
}

export class ChangeConversationRequest {
  /**
   * New name of the group, at most 100 characters.
   * @example "周末"
   */
  @Name({ max: MAX_CONVERSATION_NAME, optional: true })
  name?: string;

  /**
   * URL of a picture, http or https, at most 500 characters; null removes it.
   * @example "https://pictures.example/group.png"
   */
  @Url({ max: MAX_AVATAR, optional: true, nullable: true })
  avatar?: string | null;

  /**
   * An own uploaded image, of which the picture is made; replaces `avatar`.
   * @example 1
   */
  @Id({ optional: true })
  avatar_attachment_id?: number;
}

/** Settings that are left out do not change. */
@RequestExample({ pinned: true, muted: false })
export class ConversationSettingsRequest {
  /** Lists the conversation before those that are not pinned. */
  @Flag({ optional: true })
  pinned?: boolean;

  /** Excludes the conversation from the total of unread messages. */
  @Flag({ optional: true })
  muted?: boolean;

  /** Leaves the conversation out of the list until its next message. */
  @Flag({ optional: true })
  hidden?: boolean;

  /** End of the mute, ISO 8601 with an offset, in the future; null ends a mute that has an end. */
  @Timestamp({ optional: true, nullable: true })
  mute_until?: Date | null;
}

export class ChangeOwnerRequest {
  /** The new owner: a member of the group. */
  @Id()
  user_id!: number;
}

export class MembersQuery {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;

  /**
   * Only members whose name contains this, regardless of case; at most 64 characters.
   * @example "a"
   */
  @Text({ max: MAX_KEYWORD, optional: true })
  keyword?: string;
}

export class AddMembersRequest {
  /**
   * The users to add, at most 500; users who are already members do not change.
   * @example [4]
   */
  @Ids()
  user_ids!: number[];
}
