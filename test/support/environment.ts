import { resolve } from 'node:path';
import { TEST_SECRET } from './tokens';

export const TEST_AGORA = {
  appId: '970ca35de60c44645bbae8a215061b33',
  appCertificate: '5cfd2fd1755d40ecb72977518be15d3b',
};

/** Environment of the tests: no log output, no limits that a fast test would reach, and the given database. */
export const testEnvironment = (databaseUrl: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  NODE_ENV: 'test',
  DATABASE_URL: databaseUrl,
  JWT_SECRET: TEST_SECRET,
  AGORA_APP_ID: TEST_AGORA.appId,
  AGORA_APP_CERTIFICATE: TEST_AGORA.appCertificate,
  FILES_SECRET: 'a-secret-of-the-tests-for-urls-of-files',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  RATE_LIMIT_PER_MINUTE: '0',
  // In-process requests complete within one turn of the event loop, and test machines are busy, so load shedding is
  // off.
  MAX_EVENT_LOOP_DELAY_MS: '0',
  MAX_REQUESTS_IN_FLIGHT: '5000',
  // npm run test:slow. Uses the path of the source: the built fuzzer has no copy of the file.
  ...(process.env.TEST_DELAYS && { NODE_OPTIONS: `--require=${resolve('test/support/delays.js')}` }),
  // Longer than any request takes on a slow machine. A higher value would also extend the idle time-out of connections.
  REQUEST_TIMEOUT_SECONDS: '50',
  // Tests compare `/metrics` before and after an action, so it must not be cached.
  METRICS_MAX_AGE_MS: '0',
  ...more,
});
