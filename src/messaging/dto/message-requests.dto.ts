import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import {
  checkInteger,
  emptyAsOmitted,
  field,
  Flag,
  Id,
  Ids,
  JsonObject,
  OneOf,
  PageNumber,
  PerPage,
  QueryId,
  QueryOneOf,
  Text,
} from '../../common/input/fields';
import { RequestExample } from '../../openapi/request-example.decorator';
import {
  contentProblem,
  type Extra,
  MAX_EXTRA_BYTES,
  MAX_TEXT,
  MESSAGE_TYPES,
  type MessageType,
} from '../rules/message-content';
import { MAX_MENTIONS } from '../rules/mentions';

/** A field that is not looked at where a message is forwarded. */
const UnlessForwarded = (): PropertyDecorator =>
  ValidateIf((body: SendMessageRequest) => body.forward_id === undefined);

/** The id of a message to send once more, which has a content already. */
const ForwardId = (): PropertyDecorator =>
  field({
    optional: true,
    read: emptyAsOmitted,
    check: (value, message) => {
      const hasContent = emptyAsOmitted((message as SendMessageRequest).content) !== undefined;
      return checkInteger(value, 1, Number.MAX_SAFE_INTEGER) ?? (hasContent ? '取值无效' : undefined);
    },
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  });

/** What a message's type says it holds. */
const Content = (): PropertyDecorator =>
  field({
    read: (value) => value ?? undefined,
    check: (value, message) => contentProblem((message as SendMessageRequest).type, value),
    schema: { type: String, maxLength: MAX_TEXT },
  });

export class HistoryQuery {
  @PageNumber()
  page!: number;

  @PerPage(50)
  per_page!: number;

  /**
   * The messages just older than this one; `page` is then ignored.
   * @example 1
   */
  @QueryId()
  before_id?: number;

  /**
   * The messages just newer than this one; `page` is then ignored. Not together with `before_id`.
   * @example 1
   */
  @QueryId()
  after_id?: number;

  /** 0: look without marking read; else the conversation is read afterwards. */
  @QueryOneOf([0, 1])
  mark_read?: number;
}

export class ReadersQuery {
  @PageNumber()
  page!: number;

  @PerPage(50)
  per_page!: number;
}

@RequestExample({ type: 'text', content: '你好', client_msg_id: 'b7c1-1' })
export class SendMessageRequest {
  /** What `content` is. Required, unless a message is forwarded. */
  @ApiPropertyOptional()
  @UnlessForwarded()
  @OneOf(MESSAGE_TYPES)
  type?: MessageType;

  /**
   * A text of at most 5,000 characters, `lat,lng` of a location, or the URL (at most 2,000) of anything else. Required,
   * unless a message is forwarded.
   */
  @ApiPropertyOptional()
  @UnlessForwarded()
  @Content()
  content?: string;

  /** A file's `name`, a recording's `duration` in seconds, a location's `title`, and what else clients agree on; 4,096 bytes of JSON. */
  @JsonObject({ maxBytes: MAX_EXTRA_BYTES, optional: true })
  extra?: Extra;

  /**
   * Idempotency id, at most 64 characters: sent again with the same one, the message is not sent again.
   * @example "b7c1-1"
   */
  @Text({ max: 64, optional: true })
  client_msg_id?: string;

  /**
   * The message of this conversation that it answers.
   * @example 1
   */
  @Id({ optional: true })
  reply_to_id?: number;

  /** Groups: users whom it mentions; those who are no members are left out. */
  @Ids({ optional: true, max: MAX_MENTIONS })
  mentions?: number[];

  /** Groups: mentions everybody; in one of more than 200 members, for its owner. */
  @Flag({ optional: true })
  mention_all?: boolean;

  /**
   * A message, of any conversation, to send once more. It takes the place of `type`, `content` and `extra`.
   * @example 1
   */
  @ForwardId()
  forward_id?: number;
}

export class EditMessageRequest {
  /** What the text says from now on. */
  @Text({ max: MAX_TEXT })
  content!: string;
}

export class MarkReadRequest {
  /** Up to which message; the newest when left out. */
  @Id({ optional: true })
  message_id?: number;
}
