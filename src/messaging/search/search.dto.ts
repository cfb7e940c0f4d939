import { ApiProperty } from '@nestjs/swagger';
import { field, INVALID, OneOf, QueryId, QueryInteger, Text } from '../../common/input/fields';
import { Cursor } from '../../common/input/list-fields';
import { MomentOrDay } from '../../common/input/moment-fields';
import { MessageResponse } from '../dto/message.dto';
import type { ConversationType } from '../entities/conversation.entity';
import { MESSAGE_TYPES, type MessageType } from '../rules/message-content.rules';
import { Picture } from '../../openapi/response-fields';
import { CONTENT_KINDS, type ContentKind } from './searched-text.rules';

const MAX_KEYWORD = 100;

/** `has`, which may be repeated in the query. */
const Has = (): PropertyDecorator =>
  field({
    optional: true,
    read: (value) => (value === undefined || value === '' ? undefined : [value].flat()),
    check: (value) =>
      (value as unknown[]).every((kind) => CONTENT_KINDS.includes(kind as ContentKind)) ? undefined : INVALID,
    schema: { type: 'array', items: { type: 'string', enum: [...CONTENT_KINDS] } },
  });

/** GET /api/messages/search (API 8.13). */
export class SearchMessagesQuery {
  /**
   * Messages whose text contains this, regardless of case; at most 100 characters.
   * @example "hello"
   */
  @Text({ max: MAX_KEYWORD })
  keyword!: string;

  /** Only messages of this conversation. */
  @QueryId()
  conversation_id?: number;

  /**
   * Only messages of this user.
   * @example 1
   */
  @QueryId()
  sender_id?: number;

  /** Only messages of this type. Texts, names of files and titles of locations are searched. */
  @OneOf(MESSAGE_TYPES, { optional: true })
  type?: MessageType;

  /**
   * Only messages sent at this time or later: a timestamp, or a day in `APP_TIMEZONE`.
   * @example "2026-01-01"
   */
  @MomentOrDay()
  from?: string;

  /**
   * Only messages sent before this timestamp, or until the end of this day.
   * @example "2100-12-31"
   */
  @MomentOrDay()
  to?: string;

  /** Only messages with an attachment or a link; may be repeated. */
  @Has()
  has?: ContentKind[];

  /** Maximum number of messages: 1 to 50. */
  @QueryInteger({ min: 1, max: 50, default: 20 })
  limit!: number;

  /**
   * The `next_cursor` of the previous page; omitted: the first page.
   * @example "Ny00Mi5kNzE0MTcxNjhhZGY"
   */
  @Cursor()
  cursor?: string;
}

/** The conversation of a found message. */
export class FoundConversationResponse {
  id!: number;
  /** `single` or `group`. */
  type!: ConversationType;
  /** Name of the group, or of the peer. */
  name!: string;
  /** URL of a picture. */
  @Picture()
  avatar!: string | null;
}

/** A found message. */
export class FoundMessageResponse {
  message!: MessageResponse;
  conversation!: FoundConversationResponse;
  /**
   * The text around the first hit, at most 120 characters.
   * @example "Meeting at noon?"
   */
  snippet!: string;
  /** Start and length of each hit in `snippet`, in code points. */
  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
    example: [[0, 7]],
  })
  highlights!: [start: number, length: number][];
  /**
   * Number of newer messages in the history: the message is on its page `floor(offset / per_page) + 1`.
   * @example 12
   */
  offset!: number;
}

/** A page of found messages. */
export class SearchMessagesResponse {
  items!: FoundMessageResponse[];
  /** The cursor of the next page, which may have hits even if this page has none; null at the end. */
  next_cursor!: string | null;
}
