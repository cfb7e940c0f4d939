import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Metrics, oneAtATime } from '../common/metrics';
import { Transactions } from '../database/transactions';
import { deadlineFigures } from './store/calls.store';

/** Exports metrics of all calls: how many are unfinished, and how long the most overdue one is past its deadline. */
@Injectable()
export class CallMetrics {
  constructor(
    metrics: Metrics,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    const poll = oneAtATime(() => this.#poll());
    metrics.gauge(
      'callboard_calls_unfinished',
      'Unfinished calls of the whole service',
      async () => (await poll()).unfinished,
    );
    metrics.gauge(
      'callboard_calls_overdue_seconds',
      'Time that the most overdue call is past its deadline; 0 when none is',
      async () => (await poll()).overdue,
    );
  }

  async #poll(): Promise<{ unfinished: number; overdue: number }> {
    const { unfinished, earliest } = await deadlineFigures(this.transactions.read());
    const now = this.clock.now().getTime();
    return { unfinished, overdue: Math.max(0, now - (earliest?.getTime() ?? now)) / 1000 };
  }
}
