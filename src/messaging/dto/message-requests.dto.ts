import {
  field,
  Id,
  JsonObject,
  OneOf,
  PageNumber,
  PerPage,
  QueryId,
  QueryOneOf,
  Text,
} from '../../common/input/fields';
import {
  contentProblem,
  type Extra,
  MAX_EXTRA_BYTES,
  MAX_TEXT,
  MESSAGE_TYPES,
  type MessageType,
} from '../rules/message-content';

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

  /** The messages just older than this one; `page` is then ignored. */
  @QueryId()
  before_id?: number;

  /** The messages just newer than this one; `page` is then ignored. Not together with `before_id`. */
  @QueryId()
  after_id?: number;

  /** 0: look without marking read. */
  @QueryOneOf([0, 1])
  mark_read?: number;
}

export class ReadersQuery {
  @PageNumber()
  page!: number;

  @PerPage(50)
  per_page!: number;
}

export class SendMessageRequest {
  @OneOf(MESSAGE_TYPES)
  type!: MessageType;

  /** A text of at most 5,000 characters, `lat,lng` of a location, or the URL (at most 2,000) of anything else. */
  @Content()
  content!: string;

  /** A file's `name`, a recording's `duration` in seconds, a location's `title`, and whatever else clients agree on. */
  @JsonObject({ maxBytes: MAX_EXTRA_BYTES, optional: true })
  extra?: Extra;

  /** Sent again with the same one, the message is not sent again. */
  @Text({ max: 64, optional: true })
  client_msg_id?: string;
}

export class MarkReadRequest {
  /** Up to which message; the newest when left out. */
  @Id({ optional: true })
  message_id?: number;
}
