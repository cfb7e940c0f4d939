import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Clock, plusSeconds } from '../../common/clock';
import { RequestBody } from '../../common/input/request-body';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { Transactions } from '../../database/transactions';
import { RequestRate } from '../../rate-limit/request-rate';
import { deleteEvents } from '../store/media-presence.store';
import { MediaPresenceService } from './media-presence.service';
import { type MediaWebhookEvent, MediaWebhookReader } from './media-webhook-event';

const RETENTION_INTERVAL_MS = 600_000;
/** Must exceed the time within which providers repeat an event, which is minutes. */
const RETENTION_SECONDS = 86_400;

/** Receives the media provider's events, and deletes the ids of those that can no longer be repeated. */
@Injectable()
export class MediaWebhooksService {
  constructor(
    private readonly transactions: Transactions,
    private readonly reader: MediaWebhookReader,
    private readonly presence: MediaPresenceService,
    private readonly clock: Clock,
    private readonly rate: RequestRate,
  ) {}

  /**
   * Verifies and applies the event of a request.
   * @throws {BusinessError} UNAUTHORIZED if the signature over the raw body is not the provider's; TOO_MANY_REQUESTS
   *   instead if one address has sent too many rejected requests
   */
  async receive(request: FastifyRequest): Promise<void> {
    const event = await this.#read(request);
    if (event !== undefined) await this.presence.apply(event);
  }

  async #read(request: FastifyRequest): Promise<MediaWebhookEvent | undefined> {
    const { body, headers } = request;
    try {
      return await this.reader.read(body instanceof RequestBody ? body.bytes : Buffer.alloc(0), headers);
    } catch (error) {
      await this.rate.count(request);
      throw error;
    }
  }

  /** Deletes the ids of events received before the retention period. */
  @Periodic({
    name: 'media_webhook_retention',
    everyMs: RETENTION_INTERVAL_MS,
    oncePerInstance: true,
    onFailure: 'Failed to delete old media webhook events; retrying on the next run',
  })
  async forget(): Promise<void> {
    await deleteEvents(this.transactions.read(), plusSeconds(this.clock.now(), -RETENTION_SECONDS));
  }
}
