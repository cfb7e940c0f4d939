import { ApiProperty } from '@nestjs/swagger';
import { IdList, LocalTimestampField, Picture } from '../../openapi/response-fields';
import { EMPTY, field, Flag, INVALID, PageNumber, PerPage } from '../../common/input/fields';
import { EMOJI_LENGTH } from '../entities/message-reaction.entity';
import { isEmoji } from '../rules/reactions.rules';

/** One emoji (API 8.9). */
const Emoji = ({ optional = false }: { optional?: boolean } = {}): PropertyDecorator =>
  field({
    optional,
    read: (value) => (optional && value === '' ? undefined : (value ?? undefined)),
    check: (value) => {
      if (typeof value !== 'string') return 'notAString';
      if (value.trim() === '') return EMPTY;
      return isEmoji(value) ? undefined : INVALID;
    },
    schema: { type: String, maxLength: EMOJI_LENGTH, example: '👍' },
  });

export class ReactRequest {
  /** One pictograph, flag or keycap; U+FE0F makes no difference. */
  @Emoji()
  emoji!: string;

  /** False removes the reaction. */
  @Flag({ default: true })
  reacted!: boolean;
}

export class ReactorsQuery {
  /** Only reactions with this emoji; all reactions when left out. */
  @Emoji({ optional: true })
  emoji?: string;

  @PageNumber()
  page!: number;

  @PerPage(50)
  per_page!: number;
}

/** The reactions to a message with one emoji. */
export class ReactionResponse {
  /**
   * The emoji, as it was first used.
   * @example "👍"
   */
  emoji!: string;
  /** Number of users who have reacted with it. */
  count!: number;
  /** Whether the requesting user has reacted with it. */
  reacted!: boolean;
}

/** The reactions to a message, in the order of first use. */
export class ReactionsResponse {
  /**
   * The current reactions to the message.
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
   * The emoji that the user has reacted with, as it was first used.
   * @example "👍"
   */
  emoji!: string;
  /** When the user reacted, in the time zone `APP_TIMEZONE`. */
  @LocalTimestampField()
  created_at!: string;
}

export const MESSAGE_KINDS = ['message', 'notice'] as const;
export type MessageKindField = (typeof MESSAGE_KINDS)[number];

export const NOTICE_EVENTS = [
  'members_added',
  'member_left',
  'member_removed',
  'renamed',
  'avatar_changed',
  'call',
] as const;

/** Content of a notice, for clients that have their own texts. The fields depend on the event. */
export class NoticeResponse {
  /** The event that the notice reports. */
  @ApiProperty({ enum: NOTICE_EVENTS })
  event!: (typeof NOTICE_EVENTS)[number];
  /** The users who were added or removed, or who left. */
  @IdList()
  user_ids?: number[];
  /** The group's new name. */
  name?: string;
  /** Id of the call that the notice is about. */
  call_id?: number;
  media_type?: 'audio' | 'video';
  /**
   * How the call ended: `ended`, `rejected`, `cancelled`.
   * @example "ended"
   */
  status?: string;
  end_reason?: string | null;
  /**
   * Duration of the call in whole seconds.
   * @example 65
   */
  duration?: number;
}
