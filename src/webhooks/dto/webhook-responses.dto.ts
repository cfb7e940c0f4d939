import { AnyObject, Moment, TextList, ZeroOrOne } from '../../openapi/response-fields';
import type { DeliveryStatus, WebhookDeliveryEntity } from '../entities/webhook-delivery.entity';
import type { DisabledReason, WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';

/** Where a back end is told of what happens (contract 12.1). */
export class WebhookResponse {
  id!: number;
  /**
   * Where events are posted to.
   * @example "https://backend.example/callboard"
   */
  url!: string;
  /**
   * The types of events that are wanted, or `*` alone for all.
   * @example ["call.ended"]
   */
  @TextList()
  event_types!: string[];
  /**
   * For people; null where there is none.
   * @example "计费系统"
   */
  description!: string | null;
  /** Whether events carry what people have written. */
  include_content!: boolean;
  /** 1 on, 0 off. */
  @ZeroOrOne()
  status!: number;
  /**
   * The form of its events, which stays as it was when the endpoint was made.
   * @example "2026-12-01"
   */
  version!: string;
  /**
   * Why the service has switched it off: `gone` (it answered 410) or `failing` (nothing succeeded for long); else null.
   * @example "failing"
   */
  disabled_reason!: DisabledReason | null;
  /**
   * How many deliveries wait for an attempt.
   * @example 0
   */
  pending!: number;
  /** When a delivery succeeded last; null where none has. */
  @Moment()
  last_success_at!: string | null;
  /** When an attempt failed last; null where none has. */
  @Moment()
  last_failure_at!: string | null;
  @Moment()
  created_at!: string;
}

/** A new endpoint, with its secret, which is shown this once. */
export class CreatedWebhookResponse extends WebhookResponse {
  /**
   * By which the receiver verifies signatures; keep it, it is not shown again: null when the request is repeated.
   * @example "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
   */
  secret!: string | null;
}

/** A new secret of an endpoint. The one before signs along for 24 h. */
export class WebhookSecretResponse {
  /**
   * By which the receiver verifies signatures; keep it, it is not shown again.
   * @example "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
   */
  secret!: string;
}

/** What came of a test. */
export class WebhookTestResponse {
  /** Whether the receiver answered with a success (2xx). */
  ok!: boolean;
  /**
   * The status it answered with; null where it did not answer.
   * @example 204
   */
  status_code!: number | null;
  /**
   * How long it took, in milliseconds.
   * @example 35
   */
  ms!: number;
  /**
   * Why there was no answer, in a word such as `timeout`, `address_not_allowed`, `ECONNREFUSED`; else null.
   * @example "timeout"
   */
  error!: string | null;
}

/** An event on its way to an endpoint. */
export class WebhookDeliveryResponse {
  id!: number;
  /**
   * The `webhook-id`, the same in every attempt.
   * @example "msg_2XFVsBQIhrscChlQIMV"
   */
  event_id!: string;
  /**
   * What it tells of.
   * @example "call.ended"
   */
  event_type!: string;
  /**
   * `pending` (it will be tried), `succeeded`, `failed` (tried in vain), `held` (until a replay: the endpoint was off).
   * @example "succeeded"
   */
  status!: DeliveryStatus;
  /**
   * How often it was tried, since it was made or asked for again.
   * @example 1
   */
  attempts!: number;
  /**
   * The status of the last answer; null where there was none.
   * @example 204
   */
  status_code!: number | null;
  /**
   * Why there was no answer to the last attempt, in a word; else null.
   * @example "timeout"
   */
  error!: string | null;
  /**
   * How long the last attempt took, in milliseconds; null before the first.
   * @example 35
   */
  ms!: number | null;
  /** When it is tried next; null where it is not. */
  @Moment()
  next_attempt_at!: string | null;
  @Moment()
  created_at!: string;
  /** When it succeeded or was given up; null before. */
  @Moment()
  finished_at!: string | null;
}

/** A delivery with what is sent. */
export class WebhookDeliveryDetailResponse extends WebhookDeliveryResponse {
  /**
   * The body, as it is sent each time.
   * @example {"id": "msg_2XFVsBQIhrscChlQIMV", "type": "webhook.test", "timestamp": "2026-01-31T08:00:00.000Z", "version": "2026-12-01", "data": {}}
   */
  @AnyObject()
  payload!: Record<string, unknown>;
  /**
   * The first 500 characters of the last failing answer; else null.
   * @example "Service Unavailable"
   */
  response!: string | null;
}

/** A page of deliveries, newest first. */
export class WebhookDeliveriesResponse {
  items!: WebhookDeliveryResponse[];
  next_cursor!: string | null;
}

/** What a replay sends again. */
export class WebhookReplayResponse {
  /**
   * How many deliveries.
   * @example 3
   */
  queued!: number;
}

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

export const toWebhookResponse = (endpoint: WebhookEndpointEntity, pending: number): WebhookResponse => ({
  id: endpoint.id,
  url: endpoint.url,
  event_types: JSON.parse(endpoint.event_types) as string[],
  description: endpoint.description,
  include_content: endpoint.include_content,
  status: endpoint.status,
  version: endpoint.version,
  disabled_reason: endpoint.disabled_reason,
  pending,
  last_success_at: iso(endpoint.last_success_at),
  last_failure_at: iso(endpoint.last_failure_at),
  created_at: endpoint.created_at.toISOString(),
});

export const toWebhookDeliveryResponse = (delivery: WebhookDeliveryEntity): WebhookDeliveryResponse => ({
  id: delivery.id,
  event_id: delivery.event_id,
  event_type: delivery.event_type,
  status: delivery.status,
  attempts: delivery.attempts,
  status_code: delivery.status_code,
  error: delivery.error,
  ms: delivery.ms,
  next_attempt_at: iso(delivery.due_at),
  created_at: delivery.created_at.toISOString(),
  finished_at: iso(delivery.finished_at),
});
