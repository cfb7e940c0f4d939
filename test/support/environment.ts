import { resolve } from 'node:path';
import { TEST_SECRET } from './tokens';

export const TEST_AGORA = {
  appId: '970ca35de60c44645bbae8a215061b33',
  appCertificate: '5cfd2fd1755d40ecb72977518be15d3b',
};

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
  // npm run test:slow. The path is that of the sources: the built fuzzer has no copy of the file.
  ...(process.env.TEST_DELAYS && { NODE_OPTIONS: `--require=${resolve('test/support/delays.js')}` }),
  // Longer than any request takes on a slow machine; more would also prolong the silence that connections may keep.
  REQUEST_TIMEOUT_SECONDS: '50',
  // Tests compare what `/metrics` has before an act and after it.
  METRICS_MAX_AGE_MS: '0',
  ...more,
});
