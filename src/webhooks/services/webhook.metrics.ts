import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Metrics, oneAtATime } from '../../common/metrics';
import { Transactions } from '../../database/transactions';
import { readWebhookFigures } from '../store/webhook-figures.store';

/** Registers the metrics of the webhook deliveries of all instances. */
@Injectable()
export class WebhookMetrics {
  constructor(metrics: Metrics, transactions: Transactions, clock: Clock) {
    const poll = oneAtATime(() => readWebhookFigures(transactions.read()));
    metrics.gauge(
      'callboard_webhook_pending',
      'Deliveries of all instances that wait for an attempt',
      async () => (await poll()).pending,
    );
    metrics.gauge(
      'callboard_webhook_oldest_seconds',
      'Seconds by which the oldest pending delivery is overdue, 0 if none is',
      async () => {
        const { earliestDue } = await poll();
        return earliestDue === null ? 0 : Math.max(0, clock.now().getTime() - earliestDue.getTime()) / 1000;
      },
    );
    metrics.gauge(
      'callboard_webhook_disabled',
      'Endpoints that the service has disabled',
      async () => (await poll()).disabled,
    );
  }
}
