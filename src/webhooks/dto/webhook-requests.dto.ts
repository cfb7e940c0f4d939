import {
  checkText,
  EMPTY,
  emptyAsOmitted,
  field,
  type FieldOptions,
  Flag,
  IntegerOneOf,
  INVALID,
  NOT_AN_ARRAY,
  OneOf,
  PageNumber,
  PerPage,
  Text,
} from '../../common/input/fields';
import { hasControls } from '../../common/visible-text';
import { Cursor, Limit } from '../../common/input/list-fields';
import { Timestamp } from '../../common/input/moment-fields';
import { DOMAIN_EVENT_TYPES } from '../../outbox/domain-event-types';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../entities/webhook-delivery.entity';
import { WEBHOOK_DESCRIPTION_LENGTH, URL_LENGTH } from '../entities/webhook-endpoint.entity';
import { ALL_TYPES, TEST_TYPE } from '../rules/event-types.rules';

const MAX_TYPES = 50;
const TYPES: readonly string[] = [...DOMAIN_EVENT_TYPES, ALL_TYPES];

/** URL that events are posted to: https, or http where the operator allows it; no credentials, no fragment. */
const ReceiverUrl = (options: FieldOptions = {}): PropertyDecorator =>
  field({
    ...options,
    read: emptyAsOmitted,
    check: (value) => {
      if (typeof value === 'string' && value.trim() === '') return EMPTY;
      return checkText(value, { max: URL_LENGTH }) ?? (isReceiverUrl(value as string) ? undefined : INVALID);
    },
    schema: { type: String, maxLength: URL_LENGTH },
  });

function isReceiverUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || text.includes('#') || hasControls(text) || !URL.canParse(text))
    return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** Event types that an endpoint subscribes to, or `*` alone for all. Duplicates are removed. */
const EventTypes = (options: FieldOptions = {}): PropertyDecorator =>
  field({
    ...options,
    read: (value) => (Array.isArray(value) ? [...new Set<unknown>(value)] : emptyAsOmitted(value)),
    check: (value) => {
      if (!Array.isArray(value)) return NOT_AN_ARRAY;
      if (value.length === 0) return EMPTY;
      if (value.length > MAX_TYPES) return (catalogue) => catalogue.tooMany(MAX_TYPES);
      const isAlone = value.length === 1 || !value.includes(ALL_TYPES);
      return isAlone && value.every((type) => TYPES.includes(type as string)) ? undefined : INVALID;
    },
    schema: { type: 'array', items: { type: 'string', enum: [...TYPES] }, minItems: 1, maxItems: MAX_TYPES },
  });

/** GET /api/admin/webhooks (API 14.1). */
export class ListWebhooksQuery {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;
}

/** POST /api/admin/webhooks (API 14.1). */
export class CreateWebhookRequest {
  /**
   * URL that events are posted to: https, at most 1,000 characters, without credentials or fragment, at a public
   * address.
   * @example "https://backend.example/callboard"
   */
  @ReceiverUrl()
  url!: string;

  /**
   * Subscribed event types, or `*` alone for all.
   * @example ["call.ended"]
   */
  @EventTypes()
  event_types!: string[];

  /**
   * Free text for administrators, at most 200 characters.
   * @example "计费系统"
   */
  @Text({ max: WEBHOOK_DESCRIPTION_LENGTH, optional: true })
  description?: string;

  /** Whether payloads include user content: the text of messages, the title and content of notifications. */
  @Flag({ default: false })
  include_content!: boolean;

  /** 1: enabled; 0: disabled. */
  @IntegerOneOf([0, 1], { default: 1 })
  status!: number;
}

/** PUT /api/admin/webhooks/{id}: omitted fields stay unchanged (API 14.1). */
export class ChangeWebhookRequest {
  /**
   * URL that events are posted to, with the same rules as for a new endpoint.
   * @example "https://backend.example/callboard"
   */
  @ReceiverUrl({ optional: true })
  url?: string;

  /**
   * Subscribed event types, or `*` alone for all.
   * @example ["call.ended", "user.created"]
   */
  @EventTypes({ optional: true })
  event_types?: string[];

  /**
   * Free text for administrators, at most 200 characters; an empty string removes it.
   * @example "计费系统"
   */
  @Text({ max: WEBHOOK_DESCRIPTION_LENGTH, optional: true, clearable: true })
  description?: string;

  /**
   * Whether the payloads of future events include user content: the text of messages, the title and content of
   * notifications.
   */
  @Flag({ optional: true })
  include_content?: boolean;

  /** 1: enabled; 0: disabled. Deliveries that were held while it was disabled stay held until a replay. */
  @IntegerOneOf([0, 1], { optional: true })
  status?: number;
}

/** GET /api/admin/webhooks/{id}/deliveries (API 14.2). */
export class ListDeliveriesQuery {
  @Limit()
  limit!: number;

  /**
   * The `next_cursor` of the previous page; omitted: the newest deliveries.
   * @example "NDIuYjg0Yjc5ZDkzY2M2"
   */
  @Cursor()
  cursor?: string;

  /** Only deliveries with this status. */
  @OneOf(DELIVERY_STATUSES, { optional: true })
  status?: DeliveryStatus;

  /** Only deliveries of this event type. */
  @OneOf([...DOMAIN_EVENT_TYPES, TEST_TYPE], { optional: true })
  event_type?: string;
}

/** POST /api/admin/webhooks/{id}/replay (API 14.2). */
export class ReplayWebhookRequest {
  /**
   * Failed and held deliveries created at or after this time are sent again.
   * @example "2026-01-31T08:00:00.000Z"
   */
  @Timestamp()
  since!: Date;
}
