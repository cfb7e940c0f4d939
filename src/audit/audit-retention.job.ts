import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock, plusSeconds } from '../common/clock';
import { PeriodicJob, repeatWhile } from '../common/jobs/periodic-job';
import { CONFIG, type Config } from '../config/config';
import { Transactions } from '../database/transactions';
import { Workers } from '../workers/workers';
import { trimAuditRows } from './store/audit-lists.store';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;
const DAY_SECONDS = 86_400;

/**
 * Deletes audit rows older than `AUDIT_RETENTION_DAYS` in batches; 0 disables it. Safe to run on several instances at
 * the same time.
 */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #job = new PeriodicJob(this, {
    name: 'audit_retention',
    everyMs: INTERVAL_MS,
    run: (stopping) => this.trim(stopping),
    onFailure: 'Failed to delete expired audit rows, retrying on the next run',
  });
  readonly #retentionSeconds: number;

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly workers: Workers,
    @Inject(CONFIG) { auditRetentionDays }: Config,
  ) {
    this.#retentionSeconds = auditRetentionDays * DAY_SECONDS;
  }

  onApplicationBootstrap(): void {
    if (this.#retentionSeconds > 0 && this.workers.isFirst) this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
  }

  /** Deletes all rows that are older than the retention. */
  async trim(stopping?: AbortSignal): Promise<void> {
    if (this.#retentionSeconds === 0) return;
    const before = plusSeconds(this.clock.now(), -this.#retentionSeconds);
    await repeatWhile(
      async () => (await this.transactions.run((em) => trimAuditRows(em, before, BATCH_SIZE))) === BATCH_SIZE,
      stopping,
    );
  }
}
