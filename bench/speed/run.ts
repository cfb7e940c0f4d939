import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { type DatabaseConfig, loadDatabaseConfig } from '../../src/config/config';
import { dataSourceOptions } from '../../src/database/data-source-options';
import { startMariadb } from '../../test/support/throwaway-mariadb.js';
import { planOf } from '../seed/plan';
import { seed } from '../seed/seed';
import { Driver } from './driver';
import { compete, type Result } from './rounds';
import { type Run, type Scenario, SCENARIOS, titleOf } from './scenarios';
import { residentMiB, type Server, startServer } from './servers';

/** A durable server with room for the data: every commit is on the disk, and in the log that replicas read. */
const PRODUCTION = [
  '--innodb-buffer-pool-size=1G',
  '--innodb-flush-log-at-trx-commit=1',
  '--log-bin=binlog',
  '--binlog-format=ROW',
  '--sync-binlog=1',
];
/** More than a pool of connections, few enough that two cores are not only busy with switching. */
const CONNECTIONS = 16;
const REST_MS = 2_000;

export interface SpeedOptions {
  engine: 'mariadb' | 'sqlite';
  /** Parts; all when undefined. */
  wanted?: string[];
  scale: number;
  rounds: number;
  seconds: number;
}

export interface Speed {
  engine: string;
  results: Result[];
  /** By server: from the start of the process to its readiness, and its memory when nothing has been asked of it yet. */
  atRest: { server: string; startMs: number; residentMiB: number }[];
}

/** Loads the data set, starts the servers and lets them compete in every scenario; on SQLite the service is alone. */
export async function measureSpeed(options: SpeedOptions): Promise<Speed> {
  const { engine, scale } = options;
  const database = await (engine === 'sqlite' ? sqliteFile() : mariadb());
  const servers: Server[] = [];
  const driver = new Driver();
  try {
    const plan = planOf(scale);
    process.stderr.write(`loading the data (${engine})\n`);
    await seed(database.config, plan);
    for (const name of ['service', 'limit'] as const)
      if (engine === 'mariadb' || name === 'service') servers.push(await startServer(name, database.url));
    const dataSource = await new DataSource(dataSourceOptions(database.config)).initialize();
    const run: Run = (sql) => dataSource.query(sql);
    try {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      const atRest = servers.map(({ name, pid, startMs }) => ({
        server: name,
        startMs,
        residentMiB: residentMiB(pid),
      }));
      const conditions = { ...options, plan, connections: CONNECTIONS, databasePid: database.pid, run };
      const results: Result[] = [];
      for (const scenario of scenariosOf(options.wanted)) {
        process.stderr.write(`${titleOf(scenario)}\n`);
        results.push(await compete(scenario, servers, driver, conditions));
      }
      return { engine, results, atRest };
    } finally {
      await dataSource.destroy();
    }
  } finally {
    driver.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  }
}

const scenariosOf = (wanted: string[] | undefined): Scenario[] =>
  SCENARIOS.filter(({ part }) => wanted?.includes(part) ?? true);

interface BenchDatabase {
  config: DatabaseConfig;
  url: string;
  pid?: number;
  drop(): Promise<void>;
}

async function mariadb(): Promise<BenchDatabase> {
  const { url: server, pid, stop } = await startMariadb(PRODUCTION);
  const url = `${server}/bench`;
  const root = await new DataSource({ type: 'mariadb', url: `${server}/mysql` }).initialize();
  await root.query('CREATE DATABASE bench');
  await root.destroy();
  return { config: loadDatabaseConfig({ DATABASE_URL: url }), url, pid, drop: stop };
}

async function sqliteFile(): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'));
  const url = `sqlite:${join(folder, 'bench.sqlite')}`;
  return {
    config: loadDatabaseConfig({ DATABASE_URL: url }),
    url,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
