import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { WebhookDeliveryEntity } from '../entities/webhook-delivery.entity';
import { WebhookEventEntity } from '../entities/webhook-event.entity';
import {
  deleteEndpointRows,
  deletedEndpoints,
  trimHeldDeliveries,
  trimOld,
} from '../store/delivery-trim.store';
import { allEndpoints } from '../store/endpoint.store';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;
const DAY_SECONDS = 86_400;
/** Maximum number of held deliveries per endpoint. Beyond it the oldest are deleted. */
const MAX_HELD = 100_000;

/**
 * Deletes deliveries older than WEBHOOK_RETENTION_DAYS, held deliveries beyond the maximum, and all deliveries of
 * deleted endpoints, in batches (API 14.2). Safe to run on several instances concurrently.
 */
@Injectable()
export class WebhookRetention {
  readonly #retentionSeconds: number;

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    @Inject(CONFIG) { backEnds }: Config,
  ) {
    this.#retentionSeconds = backEnds.webhookRetentionDays * DAY_SECONDS;
  }

  /** Deletes all expired rows. */
  @Periodic({
    name: 'webhook_retention',
    everyMs: INTERVAL_MS,
    oncePerInstance: true,
    onFailure: 'Failed to delete old webhook deliveries, retrying on the next run',
  })
  async trim(stopping?: AbortSignal): Promise<void> {
    const before = plusSeconds(this.clock.now(), -this.#retentionSeconds);
    const repeat = (work: (em: EntityManager) => Promise<number>, whileAtLeast: number): Promise<void> =>
      repeatWhile(async () => (await this.transactions.run(work)) >= whileAtLeast, stopping);
    // Deliveries before bodies, so that no delivery remains without its body.
    for (const entity of [WebhookDeliveryEntity, WebhookEventEntity])
      await repeat((em) => trimOld(em, entity, before, BATCH_SIZE), BATCH_SIZE);
    const held = { kept: MAX_HELD, limit: BATCH_SIZE };
    for (const { id } of await allEndpoints(this.transactions.read()))
      await repeat((em) => trimHeldDeliveries(em, id, held), 1);
    for (const id of await deletedEndpoints(this.transactions.read()))
      await repeat((em) => deleteEndpointRows(em, id, BATCH_SIZE), BATCH_SIZE);
  }
}
