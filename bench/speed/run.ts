import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { seedBaseline } from '../baseline/seed';
import { checkSeed } from '../seed/check';
import { type Plan, planOf } from '../seed/plan';
import { seed } from '../seed/seed';
import { compareReads, compareWrites } from './response-comparison';
import { configOf, connect, type Databases, type Engine, openDatabases } from './databases';
import { Driver } from './driver';
import { compareFloorReads, requireFloorAgreement } from './floor-agreement';
import { type CostLine, costsOf } from './costs';
import { measureScenario, type Conditions, type Result } from './rounds';
import { type Run, type Scenario, titleOf } from './scenario';
import { SCENARIOS } from './scenarios';
import { processorSeconds, residentMiB, type Server, startServer } from './servers';

/** More than a pool has connections, but few enough that two cores do not spend their time on context switches. */
const CONNECTIONS = 16;
/** Scale of a data set that contains every kind of row and loads quickly twice. */
const SMALL_SCALE = 0.01;
/** Time for a server to become idle after its start. */
const SETTLE_MS = 2_000;
const CURSOR_QUERIES = 100;

export interface SpeedOptions {
  engine: Engine;
  /** Parts of the benchmark; all if undefined. */
  wanted?: string[];
  scale: number;
  rounds: number;
  seconds: number;
  /** Number of workers of the service. */
  processes: number;
  /** Warm-up before the rounds, on each server; 0 for none. */
  warmUpSeconds: number;
}

/** The loaded data, and the servers under test. */
interface Setup extends Pick<Conditions, 'plan' | 'databasePid' | 'run' | 'logLength'> {
  servers: Server[];
  driver: Driver;
}

export interface Speed {
  engine: Engine;
  results: Result[];
  /** Time from process start to readiness, and memory before the first request. */
  atRest: { server: Server['name']; startMs: number; residentMiB: number }[];
  /**
   * Cost for the database of one poll for new events of that many connected users. Without Redis, every instance polls
   * once a second.
   */
  cursorQuery: { listeners: number; databaseCpu: number };
}

/**
 * Checks that the service and the baseline behave alike, loads the data set, and measures every scenario on both. On
 * SQLite only the service is measured.
 */
export async function measureSpeed(options: SpeedOptions): Promise<Speed> {
  const databases = await openDatabases(options.engine);
  try {
    if (options.engine === 'mariadb') await assertEqualResponses(databases);
    return await measure(databases, options);
  } finally {
    await databases.drop();
  }
}

const log = (text: string): void => void process.stderr.write(`${text}\n`);

/** @throws {Error} if the responses of the two servers differ */
async function assertEqualResponses(databases: Databases): Promise<void> {
  log('comparing the responses of both servers');
  const plan = planOf(SMALL_SCALE);
  const urls = await load(databases, 'agreement', plan);
  const servers: Server[] = [];
  try {
    for (const { name, url } of urls) servers.push(await startServer(name, url));
    const [service, baseline] = servers;
    if (service === undefined || baseline === undefined)
      throw new Error('The comparison needs the service and the baseline');
    await compareReads(service, baseline, plan);
    await compareWrites(service, baseline, plan);
  } finally {
    for (const server of servers) await server.stop();
  }
}

/**
 * Loads the data into a database for each server. The baseline's is created from the service's; the floor has the same
 * tables as the service.
 */
async function load(
  databases: Databases,
  name: string,
  plan: Plan,
  { withFloor = false }: { withFloor?: boolean } = {},
): Promise<Pick<Server, 'name' | 'url'>[]> {
  const url = await databases.create(name);
  await seed(configOf(url), plan);
  const service = { name: 'service' as const, url };
  if (databases.engine === 'sqlite') return [service];
  const own = await databases.create(`${name}_baseline`);
  await seedBaseline(own, name);
  const baseline = { name: 'baseline' as const, url: own };
  if (!withFloor) return [service, baseline];
  const floor = await databases.create(`${name}_floor`);
  await seed(configOf(floor), plan);
  return [service, baseline, { name: 'floor', url: floor }];
}

/** Loads the data, starts the servers, and stops them after `work`. */
async function withServers<T>(
  databases: Databases,
  {
    engine,
    scale,
    processes,
    withFloor,
  }: Pick<SpeedOptions, 'engine' | 'scale' | 'processes'> & { withFloor?: boolean },
  work: (setup: Setup) => Promise<T>,
): Promise<T> {
  const plan = planOf(scale);
  log(`loading the data (${engine})`);
  const loaded = await load(databases, 'bench', plan, { withFloor });
  const servers: Server[] = [];
  const driver = new Driver();
  const past = new Map<Server['name'], DataSource>();
  try {
    for (const { name, url } of loaded) {
      if (name === 'service') await checkSeed(url);
      past.set(name, await connect(url));
      servers.push(await startServer(name, url, processes));
    }
    await pause(SETTLE_MS);
    const run: Run = async (name, sql) => past.get(name)?.query(sql);
    const logLength = (): Promise<number> =>
      engine === 'mariadb' ? binaryLogLength(run) : Promise.resolve(0);
    return await work({ plan, servers, driver, databasePid: databases.pid, run, logLength });
  } finally {
    driver.stop();
    await Promise.all(servers.map((server) => server.stop()));
    for (const dataSource of past.values()) await dataSource.destroy();
  }
}

function measure(databases: Databases, options: SpeedOptions): Promise<Speed> {
  const { engine } = options;
  return withServers(databases, options, async ({ servers, driver, ...setup }) => {
    const atRest = servers.map(({ name, pid, startMs }) => ({
      server: name,
      startMs,
      residentMiB: residentMiB(pid),
    }));
    await compareAllReads(servers, setup.plan);
    const conditions = { ...options, ...setup, connections: CONNECTIONS };
    const results: Result[] = [];
    for (const scenario of scenariosOf(options.wanted).filter(({ isCpuOnly }) => !isCpuOnly)) {
      log(titleOf(scenario));
      results.push(await measureScenario(scenario, servers, driver, conditions));
    }
    return {
      engine,
      results,
      atRest,
      cursorQuery: await costOfCursorQuery(setup.run, setup.plan.crowd, setup.databasePid),
    };
  });
}

/** Measures the processor time, statements, rows and bytes of every scenario on MariaDB, at 16 connections and at one. */
export async function measureCosts(options: Omit<SpeedOptions, 'engine'>): Promise<CostLine[]> {
  const engine = 'mariadb';
  const databases = await openDatabases(engine);
  try {
    await assertEqualResponses(databases);
    log('comparing the responses and the events of the floor');
    await requireFloorAgreement(databases, planOf(SMALL_SCALE));
    return await withServers(
      databases,
      { ...options, engine, withFloor: true },
      async ({ servers, driver, ...setup }) => {
        await compareAllReads(servers, setup.plan);
        const lines: CostLine[] = [];
        for (const scenario of scenariosOf(options.wanted)) {
          log(titleOf(scenario));
          for (const connections of [scenario.connections ?? CONNECTIONS, 1])
            lines.push(await costsOf(scenario, servers, driver, { ...options, ...setup, connections }));
        }
        return lines;
      },
    );
  } finally {
    await databases.drop();
  }
}

/** Compares the reads of the baseline, and those that the floor implements. */
async function compareAllReads([service, baseline, floor]: Server[], plan: Plan): Promise<void> {
  if (service !== undefined && baseline !== undefined) await compareReads(service, baseline, plan);
  if (service !== undefined && floor !== undefined) await compareFloorReads(service, floor, plan);
}

const scenariosOf = (wanted: string[] | undefined): Scenario[] =>
  SCENARIOS.filter(({ part }) => wanted?.includes(part) ?? true);

async function binaryLogLength(run: Run): Promise<number> {
  const logs = (await run('service', 'SHOW BINARY LOGS')) as { File_size: number }[];
  return logs.reduce((sum, { File_size }) => sum + File_size, 0);
}

/** Runs the query of `EventLog.cursorsOf`, often enough to exceed the resolution of the processor clock. */
async function costOfCursorQuery(
  run: Run,
  listeners: number,
  databasePid = 0,
): Promise<Speed['cursorQuery']> {
  const ids = Array.from({ length: listeners }, (_, index) => index + 1).join(', ');
  const before = processorSeconds(databasePid);
  for (let look = 0; look < CURSOR_QUERIES; look += 1)
    await run('service', `SELECT user_id, last_seq FROM event_cursors WHERE user_id IN (${ids})`);
  return { listeners, databaseCpu: ((processorSeconds(databasePid) - before) * 1000) / CURSOR_QUERIES };
}
