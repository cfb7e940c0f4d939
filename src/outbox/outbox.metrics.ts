import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Metrics, oneAtATime } from '../common/metrics';
import { Transactions } from '../database/transactions';
import { backlog } from './store/domain-events.store';

/** Publishes the size and age of the outbox on `/metrics`, for all instances together. */
@Injectable()
export class OutboxMetrics {
  constructor(metrics: Metrics, transactions: Transactions, clock: Clock) {
    const readBacklog = oneAtATime(() => backlog(transactions.read()));
    metrics.gauge(
      'callboard_outbox_rows',
      'Rows of up to 20 domain events of one transaction that a consumer has still to handle, of all instances',
      async () => (await readBacklog()).rows,
    );
    metrics.gauge(
      'callboard_outbox_oldest_seconds',
      'Age of the oldest undispatched domain event, 0 when there is none',
      async () => {
        const { since } = await readBacklog();
        return since === undefined ? 0 : Math.max(0, clock.now().getTime() - since.getTime()) / 1000;
      },
    );
  }
}
