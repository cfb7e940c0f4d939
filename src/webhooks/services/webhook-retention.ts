import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { PeriodicJob, repeatWhile } from '../../common/concurrency/periodic-job';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { buryEndpoint, deletedEndpoints, dropOldestHeld, trimOld } from '../store/delivery-trim';
import { allEndpoints } from '../store/endpoint-rows';

const INTERVAL_MS = 60_000;
const BATCH = 500;
const DAY_SECONDS = 86_400;
/** So many held deliveries of an endpoint stay; of more, the oldest fall out. */
export const MOST_HELD = 100_000;

/**
 * Deletes deliveries that are older than WEBHOOK_RETENTION_DAYS, held ones that are too many, and all of endpoints that were
 * deleted (contract 12.2), in small batches. Every instance does; none minds.
 */
@Injectable()
export class WebhookRetention implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #job = new PeriodicJob(this, {
    name: 'webhook_retention',
    everyMs: INTERVAL_MS,
    run: (stopping) => this.trim(stopping),
    onFailure: 'Old deliveries of webhooks stay until the next time',
  });
  readonly #keptSeconds: number;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    @Inject(CONFIG) { backEnds }: Config,
  ) {
    this.#keptSeconds = backEnds.webhookRetentionDays * DAY_SECONDS;
  }

  onApplicationBootstrap(): void {
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
  }

  /** Deletes everything that is to go. */
  async trim(stopping?: AbortSignal): Promise<void> {
    const before = plusSeconds(this.clock.now(), -this.#keptSeconds);
    // Deliveries first: none is left without its body.
    for (const table of ['webhook_deliveries', 'webhook_events'] as const)
      await repeatWhile(
        async () => (await this.transactions.run((em) => trimOld(em, table, before, BATCH))) === BATCH,
        stopping,
      );
    for (const { id } of await allEndpoints(this.dataSource.manager)) await this.#dropHeld(id, stopping);
    for (const id of await deletedEndpoints(this.dataSource.manager)) await this.#bury(id, stopping);
  }

  #dropHeld(id: number, stopping?: AbortSignal): Promise<void> {
    const some = { kept: MOST_HELD, most: BATCH };
    return repeatWhile(
      async () => (await this.transactions.run((em) => dropOldestHeld(em, id, some))) > 0,
      stopping,
    );
  }

  #bury(id: number, stopping?: AbortSignal): Promise<void> {
    return repeatWhile(
      async () => (await this.transactions.run((em) => buryEndpoint(em, id, BATCH))) === BATCH,
      stopping,
    );
  }
}
