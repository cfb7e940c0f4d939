import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import type { ActType } from '../../outbox/act-types';
import { type OutboxAct, OutboxConsumer } from '../../outbox/outbox-consumer';
import { OutboxRouter } from '../../outbox/outbox-router';
import { CalendarDays } from '../rules/calendar-days';
import { callFigures, type Figure } from '../rules/metrics';
import { addFigures } from '../store/daily-figures';
import { toFinishedCall } from '../rules/finished-call';

/**
 * Counts calls when their ends are routed: once each, by the day on which they were made (contract 14.2). Calls that are
 * routed together change each figure once, and last of all: the rows are the same for every instance.
 */
@Injectable()
export class CallCounting extends OutboxConsumer implements OnModuleInit {
  readonly #days: CalendarDays;

  constructor(
    @Inject(CONFIG) { timezone }: Config,
    private readonly router: OutboxRouter,
    private readonly transactions: Transactions,
  ) {
    super();
    this.#days = new CalendarDays(timezone);
  }

  onModuleInit(): void {
    this.router.register(this);
  }

  /** Ends of calls are always there. */
  wantedTypes(): Promise<ReadonlySet<ActType>> {
    return Promise.resolve(new Set());
  }

  route(acts: readonly OutboxAct[], em: EntityManager): Promise<void> {
    const ends = acts.filter(({ type }) => type === 'call.ended');
    const figures = ends.flatMap(({ payload }) => this.#figuresOf(payload));
    if (figures.length > 0)
      this.transactions.atEnd(em, {
        write: () => addFigures(em, figures),
        committed: () => undefined,
      });
    return Promise.resolve();
  }

  routed(): void {
    // Nothing follows.
  }

  #figuresOf(payload: OutboxAct['payload']): Figure[] {
    const told = JSON.parse(payload) as { call: Parameters<typeof toFinishedCall>[0] };
    const call = toFinishedCall(told.call);
    return callFigures(call, this.#days.of(call.createdAt));
  }
}
