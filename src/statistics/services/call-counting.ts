import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import type { DomainEventType } from '../../outbox/domain-event-types';
import { type OutboxEvent, OutboxConsumer } from '../../outbox/outbox-consumer';
import { OutboxDispatcher } from '../../outbox/outbox-dispatcher';
import { CalendarDays } from '../rules/calendar-days.rules';
import { callFigures, type Figure } from '../rules/metrics.rules';
import { addFigures } from '../store/daily-figures.store';
import { toFinishedCall } from '../rules/finished-call.rules';

/**
 * Counts each call once, when its `call.ended` event is dispatched, on the day on which the call was created
 * (API 15.3). Events dispatched together update each metric row once. The rows are updated last in the transaction,
 * because every instance updates the same ones and their locks should be short.
 */
@Injectable()
export class CallCounting extends OutboxConsumer implements OnModuleInit {
  readonly #days: CalendarDays;

  constructor(
    @Inject(CONFIG) { timezone }: Config,
    private readonly dispatcher: OutboxDispatcher,
    private readonly transactions: Transactions,
  ) {
    super();
    this.#days = new CalendarDays(timezone);
  }

  onModuleInit(): void {
    this.dispatcher.register(this);
  }

  /** Subscribes to no type: `call.ended` is written to the outbox even without subscribers. */
  subscribedTypes(): Promise<ReadonlySet<DomainEventType>> {
    return Promise.resolve(new Set());
  }

  dispatch(events: readonly OutboxEvent[], em: EntityManager): Promise<void> {
    const callEnds = events.filter(({ type }) => type === 'call.ended');
    const figures = callEnds.flatMap(({ payload }) => this.#figuresOf(payload));
    if (figures.length > 0)
      this.transactions.onCommit(em, {
        beforeCommit: () => addFigures(em, figures),
        afterCommit: () => undefined,
      });
    return Promise.resolve();
  }

  onCommitted(): void {
    // Nothing to do after the commit.
  }

  #figuresOf(payload: OutboxEvent['payload']): Figure[] {
    const event = JSON.parse(payload) as { call: Parameters<typeof toFinishedCall>[0] };
    const call = toFinishedCall(event.call);
    return callFigures(call, this.#days.of(call.createdAt));
  }
}
