import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock, plusSeconds } from '../common/clock';
import { PeriodicJob, repeatWhile } from '../common/concurrency/periodic-job';
import { CONFIG, type Config } from '../config/config';
import { Transactions } from '../database/transactions';
import { trimAuditRows } from './store/audit-lists';

const INTERVAL_MS = 60_000;
const BATCH = 500;
const DAY_SECONDS = 86_400;

/** Deletes what is older than AUDIT_RETENTION_DAYS, in small batches; with 0 nothing. Every instance does; none minds. */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #job = new PeriodicJob({
    context: AuditRetention.name,
    everyMs: INTERVAL_MS,
    run: (stopping) => this.trim(stopping),
    onFailure: 'Old rows of the audit log stay until the next time',
  });
  readonly #keptSeconds: number;

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    @Inject(CONFIG) { auditRetentionDays }: Config,
  ) {
    this.#keptSeconds = auditRetentionDays * DAY_SECONDS;
  }

  onApplicationBootstrap(): void {
    if (this.#keptSeconds > 0) this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
  }

  /** Deletes everything that is too old. */
  async trim(stopping?: AbortSignal): Promise<void> {
    if (this.#keptSeconds === 0) return;
    const before = plusSeconds(this.clock.now(), -this.#keptSeconds);
    await repeatWhile(
      async () => (await this.transactions.run((em) => trimAuditRows(em, before, BATCH))) === BATCH,
      stopping,
    );
  }
}
