import { DOMAIN_EVENT_TYPES, type DomainEventType } from '../../src/outbox/domain-event-types';
import { type OutboxEvent, OutboxConsumer } from '../../src/outbox/outbox-consumer';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import { eventually } from './service-process';
import type { TestApp } from './test-app';

/** A domain event with its parsed payload. */
export type RoutedAct = Omit<OutboxEvent, 'payload'> & { payload: Record<string, unknown> };

/** A consumer on one instance that records the dispatched domain events. */
export class ActReader extends OutboxConsumer {
  /** Makes the dispatch fail if it returns true. */
  refuses: (act: OutboxEvent) => boolean = () => false;
  readonly #routed: RoutedAct[] = [];
  /** Dispatched but not necessarily committed yet. */
  #underWay?: readonly OutboxEvent[];

  private constructor(
    private readonly test: TestApp,
    private wanted: readonly DomainEventType[],
  ) {
    super();
  }

  static async open(
    test: TestApp,
    wanted: readonly DomainEventType[] = DOMAIN_EVENT_TYPES,
  ): Promise<ActReader> {
    const reader = new ActReader(test, wanted);
    test.app.get(OutboxDispatcher).register(reader);
    await reader.want(wanted);
    return reader;
  }

  /** Changes the subscribed types, with immediate effect on the instance. */
  async want(types: readonly DomainEventType[]): Promise<void> {
    this.wanted = types;
    await this.test.app.get(OutboxDispatcher).refreshSubscriptions();
  }

  override subscribedTypes(): Promise<ReadonlySet<DomainEventType>> {
    return Promise.resolve(new Set(this.wanted));
  }

  override dispatch(acts: readonly OutboxEvent[]): Promise<void> {
    const refused = acts.find((act) => this.refuses(act));
    if (refused !== undefined) return Promise.reject(new Error(`Refused: ${refused.subject}`));
    this.#underWay = acts;
    return Promise.resolve();
  }

  override onCommitted(): void {
    for (const act of this.#underWay ?? [])
      this.#routed.push({ ...act, payload: JSON.parse(act.payload) as RoutedAct['payload'] });
    this.#underWay = undefined;
  }

  /** Returns the dispatched domain events once `left` rows remain in the outbox. */
  async all(left = 0): Promise<RoutedAct[]> {
    await eventually(
      async () => (await rowsOf(this.test)) === left && this.#underWay === undefined,
      (isOver) => isOver,
    );
    return [...this.#routed];
  }

  /** Returns the domain events of a subject, such as `call:17`. */
  async about(subject: string): Promise<RoutedAct[]> {
    return (await this.all()).filter((act) => act.subject === subject);
  }

  /** Returns the types of a subject's domain events. */
  typesAbout = async (subject: string): Promise<string[]> =>
    (await this.about(subject)).map(({ type }) => type);
}

/** Returns the number of undispatched domain events. */
export async function rowsOf(test: TestApp): Promise<number> {
  const [row] = (await test.query('SELECT COUNT(*) AS n FROM outbox')) as { n: number | string }[];
  return Number(row?.n);
}
