import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../common/clock';
import { Metrics, oneAtATime } from '../common/metrics';
import { backlog } from './store/outbox-rows';

/** Tells `/metrics` how much the outbox of the whole service holds, and for how long. */
@Injectable()
export class OutboxMetrics {
  constructor(metrics: Metrics, dataSource: DataSource, clock: Clock) {
    const look = oneAtATime(() => backlog(dataSource.manager));
    metrics.gauge(
      'callboard_outbox_rows',
      'Acts of all instances that are still to be routed',
      async () => (await look()).rows,
    );
    metrics.gauge(
      'callboard_outbox_oldest_seconds',
      'How long the oldest of them has waited, 0 when none does',
      async () => {
        const { since } = await look();
        return since === undefined ? 0 : Math.max(0, clock.now().getTime() - since.getTime()) / 1000;
      },
    );
  }
}
