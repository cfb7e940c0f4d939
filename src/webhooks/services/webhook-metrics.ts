import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../common/clock';
import { Metrics, oneAtATime } from '../../common/metrics';
import { readFigures } from '../store/webhook-figures.queries';

/** Tells `/metrics` what is on its way to back ends in the whole service. */
@Injectable()
export class WebhookMetrics {
  constructor(metrics: Metrics, dataSource: DataSource, clock: Clock) {
    const poll = oneAtATime(() => readFigures(dataSource.manager));
    metrics.gauge(
      'callboard_webhook_pending',
      'Deliveries of all instances that wait for an attempt',
      async () => (await poll()).pending,
    );
    metrics.gauge(
      'callboard_webhook_oldest_seconds',
      'How long the delivery that has waited longest is past its time, 0 when none is',
      async () => {
        const { earliestDue } = await poll();
        return earliestDue === null ? 0 : Math.max(0, clock.now().getTime() - earliestDue.getTime()) / 1000;
      },
    );
    metrics.gauge(
      'callboard_webhook_disabled',
      'Endpoints that the service has switched off',
      async () => (await poll()).disabled,
    );
  }
}
