import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { PeriodicJob, repeatWhile } from '../../common/jobs/periodic-job';
import { trimKeys } from './idempotency-keys.store';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;
const RETENTION_SECONDS = 7 * 24 * 3_600;

/** Deletes idempotency keys after seven days, in small batches. Safe to run on several instances at the same time. */
@Injectable()
export class IdempotencyRetention implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #job = new PeriodicJob(this, {
    name: 'creation_key_retention',
    everyMs: INTERVAL_MS,
    run: (stopping) => this.trim(stopping),
    onFailure: 'Failed to delete expired idempotency keys, retrying on the next run',
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
  }

  /** Deletes all expired keys. */
  async trim(stopping?: AbortSignal): Promise<void> {
    const horizon = plusSeconds(this.clock.now(), -RETENTION_SECONDS);
    await repeatWhile(() => trimKeys(this.dataSource, horizon, BATCH_SIZE), stopping);
  }
}
