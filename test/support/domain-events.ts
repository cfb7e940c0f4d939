import { DOMAIN_EVENT_TYPES, type DomainEventType } from '../../src/outbox/domain-event-types';
import { type OutboxEvent, OutboxConsumer } from '../../src/outbox/outbox-consumer';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import { eventually } from './service-process';
import type { TestApp } from './test-app';

/** A domain event with its parsed payload. */
export type DispatchedEvent = Omit<OutboxEvent, 'payload'> & { payload: Record<string, unknown> };

/** A consumer on one instance that records the dispatched domain events. */
export class DomainEventReader extends OutboxConsumer {
  /** Makes the dispatch fail if it returns true. */
  rejects: (event: OutboxEvent) => boolean = () => false;
  readonly #dispatched: DispatchedEvent[] = [];
  /** Dispatched but not necessarily committed yet. */
  #pending?: readonly OutboxEvent[];

  private constructor(
    private readonly test: TestApp,
    private subscribed: readonly DomainEventType[],
  ) {
    super();
  }

  static async open(
    test: TestApp,
    subscribed: readonly DomainEventType[] = DOMAIN_EVENT_TYPES,
  ): Promise<DomainEventReader> {
    const reader = new DomainEventReader(test, subscribed);
    test.app.get(OutboxDispatcher).register(reader);
    await reader.subscribe(subscribed);
    return reader;
  }

  /** Changes the subscribed types, with immediate effect on the instance. */
  async subscribe(types: readonly DomainEventType[]): Promise<void> {
    this.subscribed = types;
    await this.test.app.get(OutboxDispatcher).refreshSubscriptions();
  }

  override subscribedTypes(): Promise<ReadonlySet<DomainEventType>> {
    return Promise.resolve(new Set(this.subscribed));
  }

  override dispatch(events: readonly OutboxEvent[]): Promise<void> {
    const refused = events.find((event) => this.rejects(event));
    if (refused !== undefined) return Promise.reject(new Error(`Refused: ${refused.subject}`));
    this.#pending = events;
    return Promise.resolve();
  }

  override onCommitted(): void {
    for (const event of this.#pending ?? [])
      this.#dispatched.push({ ...event, payload: JSON.parse(event.payload) as DispatchedEvent['payload'] });
    this.#pending = undefined;
  }

  /** Returns the dispatched domain events once `left` rows remain in the outbox. */
  async all(left = 0): Promise<DispatchedEvent[]> {
    await eventually(
      async () => (await countOutboxRows(this.test)) === left && this.#pending === undefined,
      (isOver) => isOver,
    );
    return [...this.#dispatched];
  }

  /** Returns the domain events of a subject, such as `call:17`. */
  async eventsOf(subject: string): Promise<DispatchedEvent[]> {
    return (await this.all()).filter((event) => event.subject === subject);
  }

  /** Returns the types of a subject's domain events. */
  typesOf = async (subject: string): Promise<string[]> =>
    (await this.eventsOf(subject)).map(({ type }) => type);
}

/** Returns the number of undispatched domain events. */
export async function countOutboxRows(test: TestApp): Promise<number> {
  const [row] = (await test.query('SELECT COUNT(*) AS n FROM outbox')) as { n: number | string }[];
  return Number(row?.n);
}
