import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Metrics } from '../common/metrics';
import { Transactions } from '../database/transactions';
import { oldestAuditMoment } from './store/audit-lists.store';

/**
 * Reports the age of the oldest audit row to `/metrics`. An age above the retention means that old rows are not
 * deleted.
 */
@Injectable()
export class AuditMetrics {
  constructor(metrics: Metrics, transactions: Transactions, clock: Clock) {
    metrics.gauge(
      'callboard_audit_oldest_seconds',
      'Age of the oldest row of the audit log, 0 when there is none',
      async () => {
        const oldest = await oldestAuditMoment(transactions.read());
        return oldest === null ? 0 : Math.max(0, clock.now().getTime() - oldest.getTime()) / 1000;
      },
    );
  }
}
