import { Inject, Injectable } from '@nestjs/common';
import { Clock, plusSeconds } from '../common/clock';
import { repeatWhile } from '../common/jobs/periodic-job';
import { Periodic } from '../common/jobs/periodic.decorator';
import { CONFIG, type Config } from '../config/config';
import { Transactions } from '../database/transactions';
import { trimAuditRows } from './store/audit-lists.store';

const BATCH_SIZE = 500;
const DAY_SECONDS = 86_400;

/**
 * Deletes audit rows older than `AUDIT_RETENTION_DAYS` in batches; 0 disables it. Safe to run on several instances at
 * the same time.
 */
@Injectable()
export class AuditRetention {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Deletes all rows that are older than the retention. */
  @Periodic({
    name: 'audit_retention',
    everyMs: 60_000,
    oncePerInstance: true,
    isEnabled: ({ auditRetentionDays }) => auditRetentionDays > 0,
    onFailure: 'Failed to delete expired audit rows, retrying on the next run',
  })
  async trim(stopping?: AbortSignal): Promise<void> {
    const { auditRetentionDays } = this.config;
    if (auditRetentionDays === 0) return;
    const before = plusSeconds(this.clock.now(), -auditRetentionDays * DAY_SECONDS);
    await repeatWhile(
      async () => (await this.transactions.run((em) => trimAuditRows(em, before, BATCH_SIZE))) === BATCH_SIZE,
      stopping,
    );
  }
}
