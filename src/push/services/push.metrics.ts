import { Inject, Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { Clock } from '../../common/clock';
import { Metrics, oneAtATime } from '../../common/metrics';
import { CONFIG, type Config } from '../../config/config';
import { isPushConfigured } from '../../config/push-config';
import { Transactions } from '../../database/transactions';
import type { PushKind } from '../entities/push-target.entity';
import type { PushOutcome, PushType } from '../rules/push-message.rules';
import { configuredKinds } from '../rules/push-kinds.rules';
import { readPushBacklog } from '../store/push-figures.store';

/** Registers the metrics of pushes. */
@Injectable()
export class PushMetrics {
  readonly #pushes: Counter<'kind' | 'type' | 'priority' | 'result'>;
  readonly #delays: Histogram<'type'>;

  constructor(metrics: Metrics, transactions: Transactions, @Inject(CONFIG) { push }: Config, clock: Clock) {
    this.#pushes = metrics.counter('callboard_push_total', 'Attempts to send a push', [
      'kind',
      'type',
      'priority',
      'result',
    ]);
    this.#delays = metrics.durations(
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

  /** Counts an attempt. */
  count(labels: {
    kind: PushKind;
    type: PushType;
    priority: 'high' | 'normal';
    result: PushOutcome['result'];
  }): void {
    this.#pushes.inc(labels);
  }

  /** Observes the delay of an accepted push in milliseconds. */
  delay(type: PushType, ms: number): void {
    this.#delays.observe({ type }, Math.max(0, ms) / 1000);
  }
}
