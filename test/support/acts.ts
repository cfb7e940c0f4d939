import { ACT_TYPES, type ActType } from '../../src/outbox/act-types';
import { type OutboxAct, OutboxConsumer } from '../../src/outbox/outbox-consumer';
import { OutboxRouter } from '../../src/outbox/outbox-router';
import { eventually } from './service-process';
import type { TestApp } from './test-app';

/** An act with what it brings. */
export type RoutedAct = Omit<OutboxAct, 'payload'> & { payload: Record<string, unknown> };

/** Somebody on one instance who wants acts, and keeps what is routed. */
export class ActReader extends OutboxConsumer {
  /** What makes the routing fail. */
  refuses: (act: OutboxAct) => boolean = () => false;
  readonly #routed: RoutedAct[] = [];
  /** What is routed, but perhaps not committed yet. */
  #underWay?: readonly OutboxAct[];

  private constructor(
    private readonly test: TestApp,
    private wanted: readonly ActType[],
  ) {
    super();
  }

  static async open(test: TestApp, wanted: readonly ActType[] = ACT_TYPES): Promise<ActReader> {
    const reader = new ActReader(test, wanted);
    test.app.get(OutboxRouter).register(reader);
    await reader.want(wanted);
    return reader;
  }

  /** Wants these types from now on, and its instance knows. */
  async want(types: readonly ActType[]): Promise<void> {
    this.wanted = types;
    await this.test.app.get(OutboxRouter).learnWanted();
  }

  override wantedTypes(): Promise<ReadonlySet<ActType>> {
    return Promise.resolve(new Set(this.wanted));
  }

  override route(acts: readonly OutboxAct[]): Promise<void> {
    const refused = acts.find((act) => this.refuses(act));
    if (refused !== undefined) return Promise.reject(new Error(`Refused: ${refused.subject}`));
    this.#underWay = acts;
    return Promise.resolve();
  }

  override routed(): void {
    for (const act of this.#underWay ?? [])
      this.#routed.push({ ...act, payload: JSON.parse(act.payload) as RoutedAct['payload'] });
    this.#underWay = undefined;
  }

  /** What has been routed here, once so many rows are left. */
  async all(left = 0): Promise<RoutedAct[]> {
    await eventually(
      async () => (await rowsOf(this.test)) === left && this.#underWay === undefined,
      (isOver) => isOver,
    );
    return [...this.#routed];
  }

  /** Those of a thing, such as `call:17`. */
  async about(subject: string): Promise<RoutedAct[]> {
    return (await this.all()).filter((act) => act.subject === subject);
  }

  /** Their types. */
  typesAbout = async (subject: string): Promise<string[]> =>
    (await this.about(subject)).map(({ type }) => type);
}

/** How many acts are still to be routed. */
export async function rowsOf(test: TestApp): Promise<number> {
  const [row] = (await test.query('SELECT COUNT(*) AS n FROM outbox')) as { n: number | string }[];
  return Number(row?.n);
}
