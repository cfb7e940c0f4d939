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
 * Counts each call once, when its `call.ended` event is dispatched, on the day on which the call was created (contract
 * 14.2). Events dispatched together update each metric row once. The rows are updated last in the transaction, because
 * every instance updates the same ones and their locks should be short.
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

  /** Subscribes to no type: `call.ended` is written to the outbox even without subscribers. */
  wantedTypes(): Promise<ReadonlySet<ActType>> {
    return Promise.resolve(new Set());
  }

  route(events: readonly OutboxAct[], em: EntityManager): Promise<void> {
    const callEnds = events.filter(({ type }) => type === 'call.ended');
    const figures = callEnds.flatMap(({ payload }) => this.#figuresOf(payload));
    if (figures.length > 0)
      this.transactions.onCommit(em, {
        beforeCommit: () => addFigures(em, figures),
        afterCommit: () => undefined,
      });
    return Promise.resolve();
  }

  routed(): void {
    // Nothing to do after the commit.
  }

  #figuresOf(payload: OutboxAct['payload']): Figure[] {
    const event = JSON.parse(payload) as { call: Parameters<typeof toFinishedCall>[0] };
    const call = toFinishedCall(event.call);
    return callFigures(call, this.#days.of(call.createdAt));
  }
}
