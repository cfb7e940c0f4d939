import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { OutboundClient } from '../../outbound/outbound-client';
import { OutboundError } from '../../outbound/outbound-error';
import { ERROR_LENGTH, RESPONSE_LENGTH } from '../entities/webhook-delivery.entity';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import type { Attempt } from '../rules/attempt.rules';
import { retryAfterMs } from '../rules/retry-schedule.rules';
import { signedHeaders } from '../rules/signatures.rules';
import type { ClaimedDelivery } from '../store/delivery.store';
import { WebhookSecrets } from './webhook-secrets';

/** Sends events to integrations as Standard Webhooks defines (API 14.4). */
@Injectable()
export class WebhookAttempts {
  constructor(
    private readonly client: OutboundClient,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes one attempt to send an event, signed with the current time. Returns failures in the result and never throws.
   */
  async make(
    endpoint: WebhookEndpointEntity,
    { eventId, body, traceparent }: Pick<ClaimedDelivery, 'eventId' | 'body' | 'traceparent'>,
    signal?: AbortSignal,
  ): Promise<Attempt> {
    const startedAt = performance.now();
    const elapsedMs = (): number => Math.round(performance.now() - startedAt);
    try {
      const now = this.clock.now();
      const headers = signedHeaders(this.secrets.signingFor(endpoint, now), { id: eventId, now, body });
      const response = await this.client.post(endpoint.url, { headers, body, traceparent, signal });
      const ok = response.status >= 200 && response.status <= 299;
      return {
        ok,
        statusCode: response.status,
        error: null,
        ms: elapsedMs(),
        response: ok ? null : truncate(response.text),
        retryAfterMs: ok ? 0 : retryAfterMs(response.retryAfter, this.clock.now()),
      };
    } catch (error) {
      const failure = error instanceof OutboundError ? error.failure : 'failed';
      const noResponse = { ok: false, statusCode: null, response: null, retryAfterMs: 0 };
      return { ...noResponse, error: failure.slice(0, ERROR_LENGTH), ms: elapsedMs() };
    }
  }
}

/** Truncates a response to the column length: counted in code points, without NUL and lone surrogates. */
const truncate = (text: string): string =>
  Array.from(text.replaceAll('\0', '').slice(0, 2 * RESPONSE_LENGTH))
    .slice(0, RESPONSE_LENGTH)
    .join('')
    .toWellFormed();
