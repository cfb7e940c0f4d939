import { ApiProperty } from '@nestjs/swagger';
import { IdList, LocalMoment, Picture } from '../../openapi/response-fields';
import { EMPTY, field, Flag, INVALID, PageNumber, PerPage } from '../../common/input/fields';
import { EMOJI_LENGTH } from '../entities/message-reaction.entity';
import { isEmoji } from '../rules/reactions';

/** One emoji, as contract 16.3 has it. */
const Emoji = ({ optional = false }: { optional?: boolean } = {}): PropertyDecorator =>
  field({
    optional,
    read: (value) => (optional && value === '' ? undefined : (value ?? undefined)),
    check: (value) => {
      if (typeof value !== 'string') return '必须是字符串';
      if (value.trim() === '') return EMPTY;
      return isEmoji(value) ? undefined : INVALID;
    },
    schema: { type: String, maxLength: EMOJI_LENGTH, example: '👍' },
  });

export class ReactRequest {
  /** One pictograph, flag or keycap; U+FE0F makes no difference. */
  @Emoji()
  emoji!: string;

  /** False takes it back. */
  @Flag({ default: true })
  reacted!: boolean;
}

export class ReactorsQuery {
  /** With this emoji; with any when left out. */
  @Emoji({ optional: true })
  emoji?: string;

  @PageNumber()
  page!: number;

  @PerPage(50)
  per_page!: number;
}

/** How many have reacted to a message with an emoji. */
export class ReactionResponse {
  /**
   * The emoji, as it was first used.
   * @example "👍"
   */
  emoji!: string;
  /** How many users have reacted with it. */
  count!: number;
  /** Whether the user who asks is among them. */
  reacted!: boolean;
}

/** The reactions to a message, in the order of first use. */
export class ReactionsResponse {
  /**
   * The reactions to the message as they are now.
   * @example [{"emoji": "👍", "count": 2, "reacted": true}]
   */
  reactions!: ReactionResponse[];
}

/** A user's reaction to a message. */
export class ReactorResponse {
  user_id!: number;
  name!: string | null;
  @Picture()
  avatar!: string | null;
  /**
   * With what the user has reacted, as it was first used.
   * @example "👍"
   */
  emoji!: string;
  /** When the user reacted, on the clocks of `APP_TIMEZONE`. */
  @LocalMoment()
  created_at!: string;
}

export const MESSAGE_KINDS = ['message', 'notice'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

export const NOTICE_EVENTS = [
  'members_added',
  'member_left',
  'member_removed',
  'renamed',
  'avatar_changed',
  'call',
] as const;

/** What a notice tells, for clients that have words of their own. Which fields there are depends on the event. */
export class NoticeResponse {
  /** The event that the notice reports. */
  @ApiProperty({ enum: NOTICE_EVENTS })
  event!: (typeof NOTICE_EVENTS)[number];
  /** Who was added or removed, or has left. */
  @IdList()
  user_ids?: number[];
  /** The group's new name. */
  name?: string;
  /** Of a call. */
  call_id?: number;
  media_type?: 'audio' | 'video';
  /**
   * How the call ended: `ended`, `rejected`, `cancelled`.
   * @example "ended"
   */
  status?: string;
  end_reason?: string | null;
  /**
   * How long they talked, in whole seconds.
   * @example 65
   */
  duration?: number;
}
