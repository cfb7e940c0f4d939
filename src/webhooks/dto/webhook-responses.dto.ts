import { TimestampField, ZeroOrOne } from '../../openapi/response-fields';
import type { DeliveryStatus, WebhookDeliveryEntity } from '../entities/webhook-delivery.entity';
import type { DisabledReason, WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';

/** An endpoint: a URL of an integration that receives domain events (API 14.1). */
export class WebhookResponse {
  id!: number;
  /**
   * URL that events are posted to.
   * @example "https://backend.example/callboard"
   */
  url!: string;
  /**
   * Subscribed event types, or `*` alone for all.
   * @example ["call.ended"]
   */
  event_types!: string[];
  /**
   * Free text for administrators; null if none was given.
   * @example "计费系统"
   */
  description!: string | null;
  /** Whether payloads include user content: the text of messages, the title and content of notifications. */
  include_content!: boolean;
  /** 1: enabled; 0: disabled. */
  @ZeroOrOne()
  status!: number;
  /**
   * Version of the payload format, fixed when the endpoint was created.
   * @example "2026-12-01"
   */
  version!: string;
  /**
   * Why the service disabled the endpoint: `gone` (it returned 410) or `failing` (no delivery succeeded for 5 days);
   * null if the service did not disable it.
   * @example "failing"
   */
  disabled_reason!: DisabledReason | null;
  /**
   * Number of deliveries that wait for an attempt.
   * @example 0
   */
  pending!: number;
  /** Time of the last successful delivery; null if there was none. */
  @TimestampField()
  last_success_at!: string | null;
  /** Time of the last failed attempt; null if there was none. */
  @TimestampField()
  last_failure_at!: string | null;
  @TimestampField()
  created_at!: string;
}

/** A new endpoint with its secret, which no later response contains. */
export class CreatedWebhookResponse extends WebhookResponse {
  /**
   * Secret with which the receiver verifies signatures. Store it: it is returned only once, and is null when the
   * request is repeated with the same idempotency key.
   * @example "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
   */
  secret!: string | null;
}

/** A new secret of an endpoint. For 24 h requests are also signed with the previous one. */
export class WebhookSecretResponse {
  /**
   * Secret with which the receiver verifies signatures. Store it: it is returned only once.
   * @example "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
   */
  secret!: string;
}

/** Result of a test. */
export class WebhookTestResponse {
  /** Whether the receiver returned a success (2xx). */
  ok!: boolean;
  /**
   * HTTP status of the response; null if there was no response.
   * @example 204
   */
  status_code!: number | null;
  /**
   * Duration in milliseconds.
   * @example 35
   */
  ms!: number;
  /**
   * Error code if there was no response, such as `timeout`, `address_not_allowed` or `ECONNREFUSED`; else null.
   * @example "timeout"
   */
  error!: string | null;
}

/** The delivery of one event to one endpoint. */
export class WebhookDeliveryResponse {
  id!: number;
  /**
   * Value of the header `webhook-id`, the same in every attempt.
   * @example "msg_2XFVsBQIhrscChlQIMV"
   */
  event_id!: string;
  /**
   * Type of the event.
   * @example "call.ended"
   */
  event_type!: string;
  /**
   * `pending` (waits for an attempt), `succeeded`, `failed` (no attempts left), `held` (the endpoint was disabled;
   * waits for a replay).
   * @example "succeeded"
   */
  status!: DeliveryStatus;
  /**
   * Number of attempts since the delivery was created or last sent again.
   * @example 1
   */
  attempts!: number;
  /**
   * HTTP status of the last response; null if the last attempt had none.
   * @example 204
   */
  status_code!: number | null;
  /**
   * Error code of the last attempt if it had no response; else null.
   * @example "timeout"
   */
  error!: string | null;
  /**
   * Duration of the last attempt in milliseconds; null before the first one.
   * @example 35
   */
  ms!: number | null;
  /** Time of the next attempt; null if none is due. */
  @TimestampField()
  next_attempt_at!: string | null;
  @TimestampField()
  created_at!: string;
  /** Time of success or final failure; null before. */
  @TimestampField()
  finished_at!: string | null;
}

/** A delivery with its payload. */
export class WebhookDeliveryDetailResponse extends WebhookDeliveryResponse {
  /**
   * Request body, identical in every attempt.
   * @example {"id": "msg_2XFVsBQIhrscChlQIMV", "type": "webhook.test", "timestamp": "2026-01-31T08:00:00.000Z", "version": "2026-12-01", "data": {}}
   */
  payload!: Record<string, unknown>;
  /**
   * First 500 characters of the last response that was not a success; else null.
   * @example "Service Unavailable"
   */
  response!: string | null;
}

/** A page of deliveries, newest first. */
export class WebhookDeliveriesResponse {
  items!: WebhookDeliveryResponse[];
  next_cursor!: string | null;
}

/** Result of a replay. */
export class WebhookReplayResponse {
  /**
   * Number of deliveries that are sent again.
   * @example 3
   */
  queued!: number;
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

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
