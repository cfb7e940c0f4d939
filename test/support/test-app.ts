import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { type Config, loadConfig } from '../../src/config/config';
import { createApp } from '../../src/create-app';
import { ApiClient } from './api-client';
import { createTestDatabase, type TestDatabase } from './database';
import { FakeClock } from './fake-clock';
import { suiteLog } from './suite-log.js';
import { TEST_SECRET } from './tokens';

export const START = '2026-01-31T08:00:00.000Z';

export const TEST_AGORA = {
  appId: '970ca35de60c44645bbae8a215061b33',
  appCertificate: '5cfd2fd1755d40ecb72977518be15d3b',
};

export interface TestApp {
  app: NestFastifyApplication;
  config: Config;
  clock: FakeClock;
  /** A client without a token; `api.as(person)` has one. */
  api: ApiClient;
  database: TestDatabase;
  /** Looks straight into the database. */
  query(sql: string): Promise<unknown[]>;
  /** Stops the application; its database goes with it, unless it was handed in. */
  close(): Promise<void>;
}

/** The environment of the tests: quiet, without limits that a busy test would meet, on the given database. */
export const testEnvironment = (databaseUrl: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  NODE_ENV: 'test',
  DATABASE_URL: databaseUrl,
  JWT_SECRET: TEST_SECRET,
  AGORA_APP_ID: TEST_AGORA.appId,
  AGORA_APP_CERTIFICATE: TEST_AGORA.appCertificate,
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  RATE_LIMIT_PER_MINUTE: '0',
  // In a test's own process whole requests pass without the event loop turning, and machines of tests are busy.
  MAX_EVENT_LOOP_DELAY_MS: '0',
  MAX_REQUESTS_IN_FLIGHT: '5000',
  ...more,
});

/** The real application on an empty database of its own (or on `database`), with a clock that the test moves. */
export async function createTestApp({
  env = {},
  database: given,
  clock = new FakeClock(START),
}: { env?: NodeJS.ProcessEnv; database?: TestDatabase; clock?: FakeClock } = {}): Promise<TestApp> {
  const database = given ?? (await createTestDatabase());
  const logTo = suiteLog();
  const talkative = logTo === undefined ? {} : { LOG_LEVEL: 'trace' };
  const config = loadConfig(testEnvironment(database.url, { ...talkative, ...env }));
  const app = await createApp(config, { clock, logTo });
  const close = async (): Promise<void> => {
    await app.close();
    if (!given) await database.drop();
  };
  const query = (sql: string): Promise<unknown[]> => app.get(DataSource).query(sql);
  return { app, config, clock, api: new ApiClient(app), database, query, close };
}
