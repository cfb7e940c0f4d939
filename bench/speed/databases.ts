import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDatabase } from '../baseline/seed';
import { type DatabaseConfig, loadDatabaseConfig } from '../../src/config/database-config';
import { createDataSource } from '../../src/database/data-source';
import { startMariadb } from '../../test/support/throwaway-mariadb.js';

export type Engine = 'mariadb' | 'sqlite';

/**
 * Options of a durable server with enough memory for the data: every commit is flushed to disk and written to the
 * binary log.
 */
const PRODUCTION = [
  '--innodb-buffer-pool-size=1G',
  '--innodb-flush-log-at-trx-commit=1',
  '--log-bin=binlog',
  '--binlog-format=ROW',
  // MySQL does not log the statements beside the rows either.
  '--binlog-annotate-row-events=0',
  '--sync-binlog=1',
];

/** Creates databases of one engine; exists for the duration of the benchmark. */
export interface Databases {
  engine: Engine;
  /** Process id of the database server. */
  pid?: number;
  /** Creates an empty database and returns its URL. */
  create(name: string): Promise<string>;
  drop(): Promise<void>;
}

export const openDatabases = (engine: Engine): Promise<Databases> =>
  engine === 'sqlite' ? sqliteFiles() : mariadb();

export const configOf = (url: string): DatabaseConfig => loadDatabaseConfig({ DATABASE_URL: url });

/** Opens a connection that bypasses the servers under test. */
export const connect = (url: string): Promise<DataSource> => createDataSource(configOf(url)).initialize();

async function mariadb(): Promise<Databases> {
  const { url, pid, stop } = await startMariadb(PRODUCTION);
  return {
    engine: 'mariadb',
    pid,
    create: async (name) => {
      await createDatabase(url, name);
      return `${url}/${name}`;
    },
    drop: stop,
  };
}

async function sqliteFiles(): Promise<Databases> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'));
  return {
    engine: 'sqlite',
    create: async (name) => `sqlite:${join(folder, `${name}.sqlite`)}`,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
