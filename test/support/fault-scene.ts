import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { loadConfig } from '../../src/config/config';
import { createDataSource } from '../../src/database/data-source';
import { createTestDatabase, type TestDatabase } from './database';
import { InvariantChecker } from './invariant-checker';
import type { Ledger } from './ledger';
import { MixedTraffic } from './mixed-traffic';
import { PersistentClient } from './persistent-client';
import { PersistentReader } from './persistent-reader';
import { eventually, ServiceProcess } from './service-process';
import { testEnvironment } from './environment';

const PEOPLE = Array.from({ length: 10 }, (_, index) => index + 11);
const WORKERS = 8;

/** Service processes on one database, users who send requests continuously, and clients that read event streams. */
export class FaultScene {
  readonly services: ServiceProcess[] = [];
  readonly client = new PersistentClient(() => this.services.map(({ url }) => url));
  readonly traffic = new MixedTraffic(this.client.send, PEOPLE);
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
  }: { instances?: number; env?: NodeJS.ProcessEnv; database?: TestDatabase } = {}): Promise<FaultScene> {
    const database = given ?? (await createTestDatabase());
    const dataSource = createDataSource(loadConfig(testEnvironment(database.url)).database);
    const scene = new FaultScene(database, dataSource, env);
    for (let index = 0; index < instances; index += 1) await scene.replace(index);
    await dataSource.initialize();
    await scene.traffic.prepare();
    for (const [index, person] of PEOPLE.slice(0, 2).entries()) {
      scene.#readers.push(new PersistentReader(person, () => scene.services[index % instances]?.url ?? ''));
    }
    return scene;
  }

  get ledger(): Ledger {
    return this.traffic.ledger;
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
  async duringLoad(work: () => Promise<void>): Promise<void> {
    let isOver = false;
    const load = this.traffic.keepActing(WORKERS, () => isOver);
    try {
      await Promise.race([load, work()]);
    } finally {
      isOver = true;
    }
    await load;
  }

  /** Waits until the service has acknowledged `more` further actions. */
  async acknowledges(more: number): Promise<void> {
    const enough = this.ledger.acknowledged + more;
    while (this.ledger.acknowledged < enough && !this.#isClosed) await pause(5);
  }

  /** Returns `[status, checks]` of the first instance's readiness, once `isWanted` is true for the status. */
  async readiness(isWanted: (status: number) => boolean): Promise<[number, Record<string, string>]> {
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
      const cursor = await this.#cursorOf(PEOPLE[index] ?? 0);
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
