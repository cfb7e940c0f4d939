import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../common/clock';
import { PeriodicJob, repeatWhile } from '../../common/concurrency/periodic-job';
import { Transactions } from '../../database/transactions';
import { deleteSignals, findOldSignals } from '../store/call-signals';
import { signalHorizon } from './signal-life';

/** Short enough for each to be gone within a minute after it is over, also when the service was started meanwhile. */
const SWEEP_INTERVAL_MS = 30_000;
const BATCH = 500;

/**
 * Deletes signals that are over, of calls that go on. Whatever the media provider: another one may have been in force
 * when they were sent. Every instance does; none minds.
 */
@Injectable()
export class SignalRetention implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #job = new PeriodicJob(this, {
    name: 'signal_retention',
    everyMs: SWEEP_INTERVAL_MS,
    run: (stopping) => this.sweep(stopping),
    onFailure: 'Old signals stay until the next time',
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
  }

  /** Deletes all that are over. */
  async sweep(stopping?: AbortSignal): Promise<void> {
    const horizon = signalHorizon(this.clock.now());
    await repeatWhile(async () => {
      const ids = await findOldSignals(this.dataSource.manager, horizon, BATCH);
      if (ids.length > 0) await this.transactions.run((em) => deleteSignals(em, ids));
      return ids.length === BATCH;
    }, stopping);
  }
}
