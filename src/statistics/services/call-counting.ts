import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { DomainEventType } from '../../outbox/domain-event-types';
import { OutboxConsumer } from '../../outbox/outbox-consumer';
import type { OutboxEvent } from '../../outbox/outbox-event';
import { OutboxDispatcher } from '../../outbox/outbox-dispatcher';
import { CalendarDays } from '../rules/calendar-days.rules';
import type { CountedCall } from '../rules/call-figures.rules';
import { callFigures } from '../rules/metrics.rules';
import { addFigures } from '../store/daily-figures.store';
import { CONSUMER } from '../store/recount.store';

/**
 * Counts each call once, when its `call.ended` event is dispatched, on the day on which the call was created
 * (API 15.3). Events dispatched together update each metric row once.
 */
@Injectable()
export class CallCounting extends OutboxConsumer implements OnModuleInit {
  readonly name = CONSUMER;

  constructor(
    private readonly days: CalendarDays,
    private readonly dispatcher: OutboxDispatcher,
  ) {
    super();
  }

  onModuleInit(): void {
    this.dispatcher.register(this);
  }

  /** Subscribes to no type: `call.ended` is recorded even without subscribers. */
  subscribedTypes(): Promise<ReadonlySet<DomainEventType>> {
    return Promise.resolve(new Set());
  }

  async dispatch(events: readonly OutboxEvent[], em: EntityManager): Promise<void> {
    const callEnds = events.filter(({ type }) => type === 'call.ended');
    await addFigures(
      em,
      callEnds.flatMap(({ payload }) => {
        const { call } = JSON.parse(payload) as { call: CountedCall };
        return callFigures(call, this.days);
      }),
    );
  }

  onCommitted(): void {
    // Nothing to do after the commit.
  }
}
