import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { OutboundClient } from '../../outbound/outbound-client';
import { OutboundError } from '../../outbound/outbound-error';
import { ERROR_LENGTH, RESPONSE_LENGTH } from '../entities/webhook-delivery.entity';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import type { Attempt } from '../rules/attempt';
import { retryAfterMs } from '../rules/retry-schedule';
import { signaturesOf } from '../rules/signatures';
import { WebhookSecrets } from './webhook-secrets';

/** What is sent: an event's id, and its body as it is stored. */
export interface Sending {
  eventId: string;
  body: string;
}

/** One attempt to tell a back end of an event, by Standard Webhooks (contract 12.2). */
@Injectable()
export class WebhookAttempts {
  constructor(
    private readonly client: OutboundClient,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  /** Sends an event, signed as of now; whatever goes wrong is part of the answer. */
  async make(
    endpoint: WebhookEndpointEntity,
    sending: Sending,
    limits: { signal?: AbortSignal } = {},
  ): Promise<Attempt> {
    const begun = performance.now();
    const took = (): number => Math.round(performance.now() - begun);
    try {
      const headers = this.#headersFor(endpoint, sending);
      const answer = await this.client.post(endpoint.url, { headers, body: sending.body, ...limits });
      const ok = answer.status >= 200 && answer.status <= 299;
      return {
        ok,
        statusCode: answer.status,
        error: null,
        ms: took(),
        response: ok ? null : shortened(answer.text),
        retryAfterMs: ok ? 0 : retryAfterMs(answer.retryAfter, this.clock.now()),
      };
    } catch (error) {
      const failure = error instanceof OutboundError ? error.failure : 'failed';
      const nothing = { ok: false, statusCode: null, response: null, retryAfterMs: 0 };
      return { ...nothing, error: failure.slice(0, ERROR_LENGTH), ms: took() };
    }
  }

  #headersFor(endpoint: WebhookEndpointEntity, { eventId, body }: Sending): Record<string, string> {
    const now = this.clock.now();
    const seconds = Math.floor(now.getTime() / 1000);
    const secrets = this.secrets.signingFor(endpoint, now);
    return {
      'content-type': 'application/json',
      'user-agent': 'Callboard',
      'webhook-id': eventId,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signaturesOf(secrets, { id: eventId, seconds, body }),
    };
  }
}

/** The first characters of an answer, as a column takes them. */
const shortened = (text: string): string =>
  Array.from(text.replaceAll('\0', '').slice(0, 2 * RESPONSE_LENGTH))
    .slice(0, RESPONSE_LENGTH)
    .join('')
    .toWellFormed();
