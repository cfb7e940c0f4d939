import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Health, type HealthReport } from '../common/health/health';
import { Transactions } from '../database/transactions';
import { OutboxDispatcher } from './outbox-dispatcher';
import { backlog } from './store/domain-events.store';

const OVERDUE_MS = 60_000;

/**
 * Reports the health of the outbox: down if the last run on this instance failed, or if a consumer has not handled a
 * domain event of any instance for more than a minute (API 15.4).
 */
@Injectable()
export class OutboxHealth {
  constructor(
    health: Health,
    private readonly dispatcher: OutboxDispatcher,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    health.register('outbox', () => this.#report());
  }

  async #report(): Promise<HealthReport> {
    const { outcome, isFailing } = this.dispatcher.record;
    const now = this.clock.now();
    const { since } = await backlog(this.transactions.read());
    const isLate = since !== undefined && now.getTime() - since.getTime() > OVERDUE_MS;
    if (isFailing || !isLate) return { status: isFailing ? 'down' : 'up', ...outcome };
    const lastError = `A domain event of ${since.toISOString()} is not dispatched`;
    return { status: 'down', ...outcome, lastErrorAt: now, lastError };
  }
}
