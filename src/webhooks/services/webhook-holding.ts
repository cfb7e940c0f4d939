import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { Transactions } from '../../database/transactions';
import { holdBatch } from '../store/delivery.store';
import { endpointsToHold } from '../store/endpoint.store';
import { WebhookSecrets } from './webhook-secrets';

const SWEEP_INTERVAL_MS = 1_000;
const BATCH_SIZE = 500;

/**
 * Holds the pending deliveries of disabled endpoints until a replay (API 14.6); without WEBHOOK_SECRET, those of
 * all endpoints. Works in batches because there may be many. Safe to run on several instances concurrently.
 */
@Injectable()
export class WebhookHolding {
  constructor(
    private readonly transactions: Transactions,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  /** Holds all deliveries that must be held now. */
  @Periodic({
    name: 'webhook_holding',
    everyMs: SWEEP_INTERVAL_MS,
    oncePerInstance: true,
    onFailure: 'Failed to hold deliveries of disabled webhooks, retrying on the next run',
  })
  async hold(stopping?: AbortSignal): Promise<void> {
    const every = !this.secrets.isConfigured;
    for (const id of await endpointsToHold(this.transactions.read(), every)) {
      const batch = { now: this.clock.now(), limit: BATCH_SIZE, every };
      await repeatWhile(
        async () => (await this.transactions.run((em) => holdBatch(em, id, batch))) > 0,
        stopping,
      );
    }
  }
}
