import type { EntityManager } from 'typeorm';
import type { DomainEventType } from './domain-event-types';

/** A domain event as it is dispatched, from one row of the outbox. */
export interface OutboxEvent {
  /** Permanent id, `msg_…`: the `webhook-id`. */
  eventId: string;
  type: DomainEventType;
  /** The resource, such as `call:17`. */
  subject: string;
  /** A JSON object, as it was recorded. */
  payload: string;
  /** Time of the domain event. */
  at: Date;
}

/** A consumer of domain events. Registers with `OutboxDispatcher` when its module starts. */
export abstract class OutboxConsumer {
  /** Returns the types that have subscribers now. Called every few seconds. Other types are not recorded. */
  abstract subscribedTypes(): Promise<ReadonlySet<DomainEventType>>;

  /**
   * Writes the consequences of domain events, such as deliveries, in the transaction that deletes them from the outbox,
   * so each is handled exactly once. May receive types that have no subscribers any more. If it throws, the domain
   * events are dispatched again.
   *
   * Must await nothing but `em`, and must lock only rows of the consumer's own tables: the transaction already has
   * locks on the outbox rows, which the recording transactions insert after all their other statements.
   */
  abstract dispatch(events: readonly OutboxEvent[], em: EntityManager): Promise<void>;

  /** Called after the commit, so that the consumer can start immediately. Must not throw. */
  abstract onCommitted(): void;
}
