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
import { ACT_TYPES } from '../../outbox/act-types';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../entities/webhook-delivery.entity';
import { DESCRIPTION_LENGTH, URL_LENGTH } from '../entities/webhook-endpoint.entity';
import { ALL_TYPES, TEST_TYPE } from '../rules/event-types';

const MOST_TYPES = 50;
const TYPES: readonly string[] = [...ACT_TYPES, ALL_TYPES];

/** An address to post to: https (or http, where the operator allows it), without credentials and fragment. */
const ReceiverUrl = (options: FieldOptions = {}): PropertyDecorator =>
  field({
    ...options,
    read: emptyAsOmitted,
    check: (value) => {
      if (typeof value === 'string' && value.trim() === '') return EMPTY;
      return checkText(value, { max: URL_LENGTH }) ?? (isReceiver(value as string) ? undefined : INVALID);
    },
    schema: { type: String, maxLength: URL_LENGTH },
  });

function isReceiver(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || text.includes('#') || hasControls(text) || !URL.canParse(text))
    return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** Which events an endpoint wants: types, or `*` alone; duplicates collapse. */
const EventTypes = (options: FieldOptions = {}): PropertyDecorator =>
  field({
    ...options,
    read: (value) => (Array.isArray(value) ? [...new Set<unknown>(value)] : emptyAsOmitted(value)),
    check: (value) => {
      if (!Array.isArray(value)) return NOT_AN_ARRAY;
      if (value.length === 0) return EMPTY;
      if (value.length > MOST_TYPES) return (words) => words.tooMany(MOST_TYPES);
      const isAlone = value.length === 1 || !value.includes(ALL_TYPES);
      return isAlone && value.every((type) => TYPES.includes(type as string)) ? undefined : INVALID;
    },
    schema: { type: 'array', items: { type: 'string', enum: [...TYPES] }, minItems: 1, maxItems: MOST_TYPES },
  });

/** GET /api/admin/webhooks (contract 12.1). */
export class ListWebhooksQuery {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;
}

/** POST /api/admin/webhooks (contract 12.1). */
export class CreateWebhookRequest {
  /**
   * Where events are posted to: https, at most 1,000 characters, without credentials and fragment, at a public address.
   * @example "https://backend.example/callboard"
   */
  @ReceiverUrl()
  url!: string;

  /**
   * The types of events that are wanted, or `*` alone for all.
   * @example ["call.ended"]
   */
  @EventTypes()
  event_types!: string[];

  /**
   * For people, at most 200 characters.
   * @example "计费系统"
   */
  @Text({ max: DESCRIPTION_LENGTH, optional: true })
  description?: string;

  /** Whether events carry what people have written. */
  @Flag({ default: false })
  include_content!: boolean;

  /** 1 on, 0 off. */
  @IntegerOneOf([0, 1], { default: 1 })
  status!: number;
}

/** PUT /api/admin/webhooks/{id}: only what is sent changes (contract 12.1). */
export class ChangeWebhookRequest {
  /**
   * Where events are posted to, as when it was made.
   * @example "https://backend.example/callboard"
   */
  @ReceiverUrl({ optional: true })
  url?: string;

  /**
   * The types of events that are wanted, or `*` alone for all.
   * @example ["call.ended", "user.created"]
   */
  @EventTypes({ optional: true })
  event_types?: string[];

  /**
   * For people, at most 200 characters; empty: none.
   * @example "计费系统"
   */
  @Text({ max: DESCRIPTION_LENGTH, optional: true, clearable: true })
  description?: string;

  /** Whether events carry what people have written; for those that come from now on. */
  @Flag({ optional: true })
  include_content?: boolean;

  /** 1 on, 0 off. What was held while it was off waits for a replay. */
  @IntegerOneOf([0, 1], { optional: true })
  status?: number;
}

/** GET /api/admin/webhooks/{id}/deliveries (contract 12.1). */
export class ListDeliveriesQuery {
  @Limit()
  limit!: number;

  /**
   * The `next_cursor` of the page before; left out: the newest.
   * @example "NDIuYjg0Yjc5ZDkzY2M2"
   */
  @Cursor()
  cursor?: string;

  /** Only those that stand so. */
  @OneOf(DELIVERY_STATUSES, { optional: true })
  status?: DeliveryStatus;

  /** Only those of this type. */
  @OneOf([...ACT_TYPES, TEST_TYPE], { optional: true })
  event_type?: string;
}

/** POST /api/admin/webhooks/{id}/replay (contract 12.1). */
export class ReplayWebhookRequest {
  /**
   * All that has failed or is held since this moment is sent again.
   * @example "2026-01-31T08:00:00.000Z"
   */
  @Timestamp()
  since!: Date;
}
