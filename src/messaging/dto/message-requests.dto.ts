import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import {
  checkInteger,
  emptyAsOmitted,
  field,
  Flag,
  Id,
  Ids,
  INVALID,
  NOT_AN_ARRAY,
  OneOf,
  PageNumber,
  PerPage,
  QueryId,
  QueryOneOf,
  Text,
} from '../../common/input/fields';
import { JsonObject } from '../../common/input/json-field';
import { RequestExample } from '../../openapi/request-example.decorator';
import {
  attachmentIdsOf,
  MAX_ATTACHMENTS,
  contentProblem,
  type Extra,
  isValidExtra,
  MAX_EXTRA_BYTES,
  MAX_TEXT,
  MESSAGE_TYPES,
  type MessageType,
} from '../rules/message-content.rules';
import { MAX_MENTIONS } from '../rules/mentions.rules';

/** Skips the validation of a field when a message is forwarded. */
const UnlessForwarded = (): PropertyDecorator =>
  ValidateIf((body: SendMessageRequest) => body.forward_id === undefined);

/** Skips the validation of `content` when a message is forwarded or has attachments. */
const UnlessAttached = (): PropertyDecorator =>
  ValidateIf(
    (body: SendMessageRequest) => body.forward_id === undefined && attachmentIdsOf(body).length === 0,
  );

const hasContent = ({ content }: SendMessageRequest): boolean => emptyAsOmitted(content) !== undefined;

/** The id of an object whose content is sent. It must not be combined with the fields that `isTaken` looks at. */
const SourceId = (isTaken: (message: SendMessageRequest) => boolean): PropertyDecorator =>
  field({
    optional: true,
    read: emptyAsOmitted,
    check: (value, message) =>
      checkInteger(value, 1, Number.MAX_SAFE_INTEGER) ?? (isTaken(message) ? 'invalid' : undefined),
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  });

const emptyListAsOmitted = (value: unknown): unknown =>
  Array.isArray(value) ? undefined : emptyAsOmitted(value);

/** At most ten ids of attachments. They must not be combined with `content` or `attachment_id`. */
const AttachmentIdList = (): PropertyDecorator =>
  field({
    optional: true,
    read: (value) =>
      Array.isArray(value) && value.length > 0 ? [...new Set<unknown>(value)] : emptyListAsOmitted(value),
    check: (value, message) => {
      if (!Array.isArray(value)) return NOT_AN_ARRAY;
      if (!value.every((id) => checkInteger(id, 1, Number.MAX_SAFE_INTEGER) === undefined)) return INVALID;
      if (value.length > MAX_ATTACHMENTS) return (catalogue) => catalogue.tooMany(MAX_ATTACHMENTS);
      const sent = message as SendMessageRequest;
      return hasContent(sent) || sent.attachment_id !== undefined ? INVALID : undefined;
    },
    schema: {
      type: 'array',
      items: { type: 'integer', minimum: 1 },
      maxItems: MAX_ATTACHMENTS,
    },
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
   * type. Required, unless a message is forwarded or has attachments.
   */
  @ApiPropertyOptional()
  @UnlessAttached()
  @Content()
  content?: string;

  /**
   * The `name` of a file, the `duration` of a recording in seconds, its `waveform` (at most 100 integers from 0 to 100), the
   * `title` of a location, and other data that clients agree on; at most 4,096 bytes of JSON.
   */
  @JsonObject({
    maxBytes: MAX_EXTRA_BYTES,
    optional: true,
    isValid: (extra, { type }: SendMessageRequest) => isValidExtra(type, extra as Extra),
  })
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
   * An uploaded file of the user to send under its type, instead of `content`.
   * @example 1
   */
  @SourceId(hasContent)
  attachment_id?: number;

  /**
   * Up to ten uploaded images, or up to ten videos, or one file of any type, instead of `attachment_id`.
   * @example [1, 2]
   */
  @AttachmentIdList()
  attachment_ids?: number[];

  /**
   * An uploaded image of the user to show before the first video of `attachment_ids` is played; its URL is `extra.poster`. Only
   * with `type` `video` and attachments.
   * @example 3
   */
  @SourceId((message) => message.type !== 'video' || attachmentIdsOf(message).length === 0)
  poster_attachment_id?: number;

  /**
   * A message of any conversation to forward. It replaces `type`, `content`, `extra` and attachments.
   * @example 1
   */
  @SourceId((message) => hasContent(message) || attachmentIdsOf(message).length > 0)
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
