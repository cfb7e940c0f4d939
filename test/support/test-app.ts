import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { type Config, loadConfig } from '../../src/config/config';
import { TIMINGS } from '../../src/common/timings';
import { createApp } from '../../src/create-app';
import { ApiClient } from './api-client';
import type { TestDatabase } from './database';
import { testEnvironment } from './environment';
import { FakeClock } from './fake-clock';
import { createMigratedDatabase } from './migrated-database';
import { suiteLog } from './suite-log.js';
import { NEVER_MS } from './timings';

export const START = '2026-01-31T08:00:00.000Z';

export interface TestApp {
  app: NestFastifyApplication;
  config: Config;
  clock: FakeClock;
  /** A client without a token; `api.as(person)` returns one with a token. */
  api: ApiClient;
  database: TestDatabase;
  /** Queries the database directly. */
  query(sql: string): Promise<unknown[]>;
  /** Stops the application and drops its database, unless the database was passed in. */
  close(): Promise<void>;
}

/** Starts the real application on an empty database (or on `database`), with a clock that the test advances. */
export async function createTestApp({
  env = {},
  database: given,
  clock = new FakeClock(START),
  pages,
  redisWithinMs = NEVER_MS,
}: {
  env?: NodeJS.ProcessEnv;
  database?: TestDatabase;
  clock?: FakeClock;
  /** Folder of the web app that it serves. Default: none. */
  pages?: string;
  /** Time limit of Redis commands, which a test of an unavailable Redis waits for. Default: none. */
  redisWithinMs?: number;
} = {}): Promise<TestApp> {
  // Counts must be current, however slow the machine is.
  TIMINGS.cachedFromMs = NEVER_MS;
  // Concurrent requests of one user would wait for seconds where transactions are slow.
  TIMINGS.debtFromMs = NEVER_MS;
  TIMINGS.redisWithinMs = redisWithinMs;
  const database = given ?? (await createMigratedDatabase());
  const logTo = suiteLog();
  const talkative = logTo === undefined ? {} : { LOG_LEVEL: 'trace' };
  const config = loadConfig(testEnvironment(database.url, { ...talkative, ...env }));
  const app = await createApp(config, { clock, logTo, pages });
  const close = async (): Promise<void> => {
    await app.close();
    if (!given) await database.drop();
  };
  const query = (sql: string): Promise<unknown[]> => app.get(DataSource).query(sql);
  return { app, config, clock, api: new ApiClient(app), database, query, close };
}
