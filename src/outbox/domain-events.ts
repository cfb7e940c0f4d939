import { Injectable } from '@nestjs/common';
import { type Observable, Subject } from 'rxjs';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { currentTrace } from '../common/tracing/current-trace';
import { transactionScoped } from '../database/transaction-hooks';
import { pipeline } from '../database/transaction-statements';
import type { DomainEventPayloads, RecordedEventType } from './domain-event-types';
import { newEventId, type OutboxEvent } from './outbox-event';
import { insertDomainEvents } from './store/domain-events.store';

/** Key of the transaction-scoped list of recorded domain events. */
const PENDING = 'domain events';
/** Recorded even without subscribers, because the statistics count the ends of calls (API 14.8). */
const ALWAYS_RECORDED: RecordedEventType = 'call.ended';

/** Records domain events in their log, in the transaction that causes them. */
@Injectable()
export class DomainEvents {
  /** Undefined until it is loaded: any type may have subscribers then. */
  #subscribedTypes?: ReadonlySet<RecordedEventType>;
  readonly #recorded = new Subject<void>();

  constructor(private readonly clock: Clock) {}

  /**
   * Whether domain events of a type may have subscribers. The result may be some seconds old. Used to skip queries that
   * only a domain event needs.
   */
  hasSubscribers(type: RecordedEventType): boolean {
    return type === ALWAYS_RECORDED || (this.#subscribedTypes?.has(type) ?? true);
  }

  /**
   * Adds a domain event to the running transaction. A transaction hook inserts all of them before the commit, after the
   * statements of the transaction itself. Does nothing if the type has no subscribers.
   * @param subject the resource, such as `call:17`
   * @param traceparent the trace that it belongs to; by default that of the current request
   * @throws {Error} if `em` does not belong to a transaction of `Transactions.run`
   */
  record<K extends RecordedEventType & keyof DomainEventPayloads>(
    em: EntityManager,
    type: K,
    subject: string,
    payload: () => DomainEventPayloads[K],
    traceparent = currentTrace(),
  ): void {
    if (!this.hasSubscribers(type)) return;
    this.#pendingOf(em).push({
      eventId: newEventId(),
      type,
      subject,
      payload: JSON.stringify(payload()),
      traceparent: traceparent ?? null,
      at: this.clock.now(),
    });
  }

  /** Sets the types that have subscribers. */
  setSubscribedTypes(types: ReadonlySet<RecordedEventType>): void {
    this.#subscribedTypes = types;
  }

  /** Emits after the commit of each transaction of this instance that has recorded domain events. */
  get recorded(): Observable<void> {
    return this.#recorded;
  }

  #pendingOf(em: EntityManager): OutboxEvent[] {
    return transactionScoped(em, PENDING, () => {
      const events: OutboxEvent[] = [];
      return {
        value: events,
        beforeCommit: () => {
          pipeline(em, insertDomainEvents(em, events));
          return Promise.resolve();
        },
        afterCommit: () => this.#recorded.next(),
      };
    });
  }
}
