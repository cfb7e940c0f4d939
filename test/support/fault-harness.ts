import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { loadConfig } from '../../src/config/config';
import { createDataSource } from '../../src/database/data-source';
import type { TestDatabase } from './database';
import { createMigratedDatabase } from './migrated-database';
import { InvariantChecker } from './invariant-checker';
import type { WriteJournal } from './write-journal';
import { MixedTraffic } from './mixed-traffic';
import { PersistentClient } from './persistent-client';
import { PersistentReader } from './persistent-reader';
import { eventually, ServiceProcess } from './service-process';
import { timingEnvironment } from './timings';
import { testEnvironment } from './environment';

const USER_IDS = Array.from({ length: 10 }, (_, index) => index + 11);
const WORKERS = 8;
/** No call stops ringing while an instance starts on a slow machine: the traffic expects to answer or cancel it. */
const LIMITS = { CALL_RING_TIMEOUT_SECONDS: '600' };

/** Service processes on one database, users who send requests continuously, and clients that read event streams. */
export class FaultHarness {
  readonly services: ServiceProcess[] = [];
  readonly client = new PersistentClient(() => this.services.map(({ url }) => url));
  readonly traffic = new MixedTraffic(this.client.send, USER_IDS);
  readonly #readers: PersistentReader[] = [];
  #isClosed = false;

  private constructor(
    readonly database: TestDatabase,
    private readonly dataSource: DataSource,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** Starts instances on the given database, or on a new one, and creates the users. */
  static async open({
    instances = 1,
    env = {},
    database: given,
  }: { instances?: number; env?: NodeJS.ProcessEnv; database?: TestDatabase } = {}): Promise<FaultHarness> {
    const database = given ?? (await createMigratedDatabase());
    const dataSource = createDataSource(loadConfig(testEnvironment(database.url)).database);
    const fixture = new FaultHarness(database, dataSource, { ...LIMITS, ...timingEnvironment(), ...env });
    for (let index = 0; index < instances; index += 1) await fixture.replace(index);
    await dataSource.initialize();
    await fixture.traffic.prepare();
    for (const [index, person] of USER_IDS.slice(0, 2).entries()) {
      fixture.#readers.push(
        new PersistentReader(person, () => fixture.services[index % instances]?.url ?? ''),
      );
    }
    return fixture;
  }

  get journal(): WriteJournal {
    return this.traffic.journal;
  }

  /** Queries the database directly. */
  query = <Row extends object>(sql: string): Promise<Row[]> => this.dataSource.query<Row[]>(sql);

  /** The first instance. */
  get service(): ServiceProcess {
    const [first] = this.services;
    if (first === undefined) throw new Error('No instance was started');
    return first;
  }

  /** Kills the instance at this index, if there is one, and starts another in its place. */
  async replace(index: number): Promise<void> {
    await this.services[index]?.kill();
    const started = await ServiceProcess.start(this.database.url, this.env);
    if (this.#isClosed) await started.kill();
    else this.services[index] = started;
  }

  /** Runs `work` while the users send requests. */
  async underLoad(work: () => Promise<void>): Promise<void> {
    let isOver = false;
    const load = this.traffic.sendContinuously(WORKERS, () => isOver);
    try {
      await Promise.race([load, work()]);
    } finally {
      isOver = true;
    }
    await load;
  }

  /** Waits until the service has acknowledged `more` further actions. */
  async untilAcknowledged(more: number): Promise<void> {
    const enough = this.journal.acknowledged + more;
    while (this.journal.acknowledged < enough && !this.#isClosed) await pause(5);
  }

  /** Returns `[status, checks]` of the first instance's readiness, once `isWanted` is true for the status. */
  async untilReadiness(isWanted: (status: number) => boolean): Promise<[number, Record<string, string>]> {
    return eventually(
      async () => {
        const response = await fetch(`${this.service.url}/health/ready`);
        const { checks } = (await response.json()) as { checks: Record<string, string> };
        return [response.status, checks];
      },
      ([status]) => isWanted(status),
    );
  }

  /**
   * Asserts that no acknowledged write is lost or duplicated, that the data is consistent, and that the clients have
   * received every event.
   */
  async check(): Promise<void> {
    await new InvariantChecker(this.traffic, this.dataSource).check();
    for (const [index, reader] of this.#readers.entries()) {
      const cursor = await this.#cursorOf(USER_IDS[index] ?? 0);
      await eventually(
        async () => reader.ids.length,
        (length) => length >= cursor,
      );
      expect(reader.ids).toEqual(Array.from({ length: cursor }, (_, place) => place + 1));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.services.map((service) => service.kill()));
    await Promise.all(this.#readers.map((reader) => reader.stop()));
    await this.dataSource.destroy();
    await this.database.drop();
  }

  async #cursorOf(person: number): Promise<number> {
    const [row] = await this.dataSource.query<{ last_seq: number | string }[]>(
      `SELECT last_seq FROM event_cursors WHERE user_id = ${person}`,
    );
    return Number(row?.last_seq);
  }
}
