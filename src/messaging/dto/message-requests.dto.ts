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
} from '../rules/message-content.rules';
import { MAX_MENTIONS } from '../rules/mentions.rules';

/** Skips the validation of a field when a message is forwarded. */
const UnlessForwarded = (): PropertyDecorator =>
  ValidateIf((body: SendMessageRequest) => body.forward_id === undefined);

/** The id of a message to forward. It must not be combined with `content`. */
const ForwardId = (): PropertyDecorator =>
  field({
    optional: true,
    read: emptyAsOmitted,
    check: (value, message) => {
      const hasContent = emptyAsOmitted((message as SendMessageRequest).content) !== undefined;
      return checkInteger(value, 1, Number.MAX_SAFE_INTEGER) ?? (hasContent ? 'invalid' : undefined);
    },
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  });

/** The content of a message, validated by its type. */
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

  /** 0: does not mark messages read; otherwise the conversation is marked read. */
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
  /** Type of `content`. Required, unless a message is forwarded. */
  @ApiPropertyOptional()
  @UnlessForwarded()
  @OneOf(MESSAGE_TYPES)
  type?: MessageType;

  /**
   * A text of at most 5,000 characters, the `lat,lng` of a location, or the URL (at most 2,000 characters) of any other
   * type. Required, unless a message is forwarded.
   */
  @ApiPropertyOptional()
  @UnlessForwarded()
  @Content()
  content?: string;

  /**
   * The `name` of a file, the `duration` of a recording in seconds, the `title` of a location, and other data that
   * clients agree on; at most 4,096 bytes of JSON.
   */
  @JsonObject({ maxBytes: MAX_EXTRA_BYTES, optional: true })
  extra?: Extra;

  /**
   * Idempotency id, at most 64 characters: a request that repeats it does not send the message again.
   * @example "b7c1-1"
   */
  @Text({ max: 64, optional: true })
  client_msg_id?: string;

  /**
   * The message of this conversation to reply to.
   * @example 1
   */
  @Id({ optional: true })
  reply_to_id?: number;

  /** Groups: users to mention; users who are not members are left out. */
  @Ids({ optional: true, max: MAX_MENTIONS })
  mentions?: number[];

  /** Groups: mentions everybody; in a group of more than 200 members only its owner may do so. */
  @Flag({ optional: true })
  mention_all?: boolean;

  /**
   * A message of any conversation to forward. It replaces `type`, `content` and `extra`.
   * @example 1
   */
  @ForwardId()
  forward_id?: number;
}

export class EditMessageRequest {
  /** The new text of the message. */
  @Text({ max: MAX_TEXT })
  content!: string;
}

export class MarkReadRequest {
  /** The last message to mark read; the newest when left out. */
  @Id({ optional: true })
  message_id?: number;
}
