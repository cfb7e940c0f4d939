import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../common/clock';
import { Metrics, oneAtATime } from '../common/metrics';
import { backlog } from './store/outbox.store';

/** Publishes the size and age of the outbox on `/metrics`, for all instances together. */
@Injectable()
export class OutboxMetrics {
  constructor(metrics: Metrics, dataSource: DataSource, clock: Clock) {
    const readBacklog = oneAtATime(() => backlog(dataSource.manager));
    metrics.gauge(
      'callboard_outbox_rows',
      'Undispatched domain events of all instances',
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
