import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Health, type HealthReport } from '../common/health/health';
import { Transactions } from '../database/transactions';
import { OutboxDispatcher } from './outbox-dispatcher';
import { longestDue } from './store/outbox.store';

/** Longer than the lease of a dead instance and a sweep together. */
const DUE_FOR_MS = 60_000;

/**
 * Reports the health of the outbox: down if the last dispatch on this instance failed, or if a domain event of any
 * instance has been due for more than a minute (API 15.4).
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
    const due = await longestDue(this.transactions.read());
    const isLate = due !== undefined && now.getTime() - due.getTime() > DUE_FOR_MS;
    if (isFailing || !isLate) return { status: isFailing ? 'down' : 'up', ...outcome };
    const lastError = `A domain event has been due since ${due.toISOString()}`;
    return { status: 'down', ...outcome, lastErrorAt: now, lastError };
  }
}
