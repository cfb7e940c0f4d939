import { Inject, Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { Clock } from '../../common/clock';
import { Metrics, oneAtATime } from '../../common/metrics';
import { CONFIG, type Config } from '../../config/config';
import { isPushConfigured } from '../../config/push-config';
import { Transactions } from '../../database/transactions';
import { configuredKinds } from '../rules/push-kinds.rules';
import { readPushBacklog } from '../store/push-figures.store';

/** Registers the metrics of pushes. */
@Injectable()
export class PushMetrics {
  /** Attempts to send a push, by their result. */
  readonly attempts: Counter<'kind' | 'type' | 'priority' | 'result'>;
  /** Seconds from the commit of the cause to the acceptance by the provider, of accepted pushes. */
  readonly delays: Histogram<'type'>;

  constructor(metrics: Metrics, transactions: Transactions, @Inject(CONFIG) { push }: Config, clock: Clock) {
    this.attempts = metrics.counter('callboard_push_total', 'Attempts to send a push', [
      'kind',
      'type',
      'priority',
      'result',
    ]);
    this.delays = metrics.durations(
      'callboard_push_delay_seconds',
      'Time from the commit of the cause to the acceptance by the provider',
      ['type'],
    );
    const isOn = isPushConfigured(push);
    const poll = oneAtATime(() => readPushBacklog(transactions.read(), configuredKinds(push), clock.now()));
    metrics.gauge('callboard_push_due', 'Pushes of all instances that are due', async () =>
      isOn ? (await poll()).due : 0,
    );
    metrics.gauge(
      'callboard_push_oldest_seconds',
      'Seconds by which the oldest due push is overdue, 0 if none is; without unresponsive endpoints',
      async () => (isOn ? (await poll()).overdueMs / 1000 : 0),
    );
  }
}
