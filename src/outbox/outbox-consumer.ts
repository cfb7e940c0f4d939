import type { EntityManager } from 'typeorm';
import type { RecordedEventType } from './domain-event-types';
import type { OutboxEvent } from './outbox-event';

/**
 * A consumer of domain events, which reads the log from a position of its own. Registers with `OutboxDispatcher` when
 * its module starts. A migration inserts its row of `domain_event_positions`, or deletes it when the consumer is
 * removed: no domain event that the row has not reached is deleted.
 */
export abstract class OutboxConsumer {
  /** Name of its row of `domain_event_positions`. */
  abstract readonly name: string;

  /** Returns the types that have subscribers now. Called every few seconds. Other types are not recorded. */
  abstract subscribedTypes(): Promise<ReadonlySet<RecordedEventType>>;

  /**
   * Writes the consequences of domain events, such as deliveries, in the transaction that advances the consumer's
   * position, so each is handled exactly once. May receive types that have no subscribers any more. If it throws, the
   * domain events are dispatched again.
   *
   * Must await nothing but `em`, must write nothing in transaction hooks, and must lock only rows of the consumer's own
   * tables: the row of its position is locked already, and other instances wait for it.
   */
  abstract dispatch(events: readonly OutboxEvent[], em: EntityManager): Promise<void>;

  /** Called after the commit, so that the consumer can start immediately. Must not throw. */
  abstract onCommitted(): void;
}
