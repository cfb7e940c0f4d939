import { onCommit } from '../../src/database/transaction-hooks';
import { DOMAIN_EVENT_TYPES, type DomainEventType } from '../../src/outbox/domain-event-types';
import { OutboxConsumer } from '../../src/outbox/outbox-consumer';
import { type OutboxEvent, parseEvents } from '../../src/outbox/outbox-event';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import type { EntityManager } from 'typeorm';
import { eventually } from './service-process';
import type { TestApp } from './test-app';

/** A domain event with its parsed payload. */
export type DispatchedEvent = Omit<OutboxEvent, 'payload'> & { payload: Record<string, unknown> };

/** A consumer on one instance that records the dispatched domain events. */
export class DomainEventReader extends OutboxConsumer {
  /** Makes the dispatch fail if it returns true. */
  rejects: (event: OutboxEvent) => boolean = () => false;
  /** Called instead of the dispatch of such an event. */
  reject = (subject: string, _em: EntityManager): Promise<unknown> =>
    Promise.reject(new Error(`Refused: ${subject}`));
  readonly #dispatched: DispatchedEvent[] = [];
  /** Whether the transaction of the last dispatch may not be committed yet. */
  #isPending = false;

  private constructor(
    private readonly test: TestApp,
    private subscribed: readonly DomainEventType[],
    readonly name: string,
  ) {
    super();
  }

  /**
   * Opens a reader that reads on from the newest domain event.
   * @param name of the consumer: readers of one name on several instances share its position
   */
  static async open(
    test: TestApp,
    subscribed: readonly DomainEventType[] = DOMAIN_EVENT_TYPES,
    name = 'reader',
  ): Promise<DomainEventReader> {
    const reader = new DomainEventReader(test, subscribed, name);
    await test.query(
      `INSERT INTO domain_event_positions (name, position)
       SELECT '${name}', position FROM domain_event_positions
       WHERE name = 'head' AND NOT EXISTS (SELECT 1 FROM domain_event_positions WHERE name = '${name}')`,
    );
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

  override dispatch(events: readonly OutboxEvent[], em: EntityManager): Promise<void> {
    const refused = events.find((event) => this.rejects(event));
    if (refused !== undefined) return this.reject(refused.subject, em) as Promise<never>;
    this.#isPending = true;
    onCommit(em, {
      afterCommit: () => {
        this.#isPending = false;
        for (const event of events)
          this.#dispatched.push({
            ...event,
            payload: JSON.parse(event.payload) as DispatchedEvent['payload'],
          });
      },
    });
    return Promise.resolve();
  }

  override onCommitted(): void {
    // `dispatch` has recorded the events.
  }

  /** Returns the dispatched domain events once `left` rows are still to be dispatched to this reader. */
  async all(left = 0): Promise<DispatchedEvent[]> {
    await eventually(
      async () => (await this.#countLeft()) === left && !this.#isPending,
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

  async #countLeft(): Promise<number> {
    const [row] = (await this.test.query(
      `SELECT COUNT(*) AS n FROM domain_events WHERE ${undispatchedTo(this.name)}`,
    )) as { n: number | string }[];
    return Number(row?.n);
  }
}

/** Returns the stored domain events with the positions of their rows, in the order of insertion. */
export async function storedEvents(
  query: (sql: string) => Promise<unknown>,
  condition = '1 = 1',
): Promise<(OutboxEvent & { position: number | null })[]> {
  const rows = (await query(`SELECT events, position FROM domain_events WHERE ${condition} ORDER BY id`)) as {
    events: string;
    position: number | null;
  }[];
  return rows.flatMap(({ events, position }) => parseEvents(events).map((event) => ({ ...event, position })));
}

/** Returns the condition of the rows of `domain_events` that a consumer has still to handle. */
export const undispatchedTo = (consumer: string): string =>
  `COALESCE(consumer, '${consumer}') = '${consumer}'
   AND (position IS NULL OR position > (SELECT position FROM domain_event_positions WHERE name = '${consumer}'))`;
