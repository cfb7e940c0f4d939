import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../common/clock';
import { PeriodicJob, repeatWhile } from '../../common/concurrency/periodic-job';
import { Transactions } from '../../database/transactions';
import { holdSome } from '../store/delivery-rows';
import { endpointsToHold } from '../store/endpoint-rows';
import { WebhookSecrets } from './webhook-secrets';

const SWEEP_INTERVAL_MS = 1_000;
const BATCH = 500;

/**
 * Holds what waits for endpoints that are off, until it is replayed (contract 12.2); where nothing can be signed, what waits
 * for any. In batches: there may be much of it. Every instance does; none minds.
 */
@Injectable()
export class WebhookHolding implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #job = new PeriodicJob(this, {
    name: 'webhook_holding',
    everyMs: SWEEP_INTERVAL_MS,
    run: (stopping) => this.hold(stopping),
    onFailure: 'What waits for webhooks that are off is held the next time',
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
  }

  /** Holds everything that is to be held now. */
  async hold(stopping?: AbortSignal): Promise<void> {
    for (const id of await endpointsToHold(this.dataSource.manager, !this.secrets.areThere)) {
      const some = { now: this.clock.now(), most: BATCH };
      await repeatWhile(
        async () => (await this.transactions.run((em) => holdSome(em, id, some))) > 0,
        stopping,
      );
    }
  }
}
