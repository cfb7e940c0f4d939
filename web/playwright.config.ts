import { defineConfig } from '@playwright/test';
import { findChromium } from '../test/support/browser-available.js';

/** A name that is no secure origin over plain HTTP, as a machine has on a local network. */
export const PLAIN_HOST = 'callboard.test';

/** Maximum wait for one step. `TEST_WAIT_MS` shortens it while a journey is being written. */
const HANG_MS = Number(process.env.TEST_WAIT_MS ?? 120_000);

/**
 * Journeys through the pages, in Debian's Chromium (`npm run test:web`; docs/testing.md). Each worker has a service and a database
 * of its own, each test its own people.
 */
export default defineConfig({
  testDir: 'test',
  testMatch: '**/*.pw.ts',
  outputDir: '../dist/journeys',
  workers: 2,
  retries: 0,
  forbidOnly: process.env.CI === 'true',
  // Time-outs only end a journey that hangs: a busy machine may take ten times as long as an idle one.
  timeout: 600_000,
  expect: { timeout: HANG_MS },
  reporter: [['list'], ['json', { outputFile: '../dist/journeys.json' }]],
  use: {
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    actionTimeout: HANG_MS,
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--use-fake-device-for-media-stream=device-count=2',
        '--use-fake-ui-for-media-stream',
        `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
      ],
    },
  },
});
