import { defineConfig } from '@playwright/test';
import { findChromium } from '../test/support/browser-available.js';

/** A name that is no secure origin over plain HTTP, as a machine has on a local network. */
export const PLAIN_HOST = 'callboard.test';

/**
 * Journeys through the pages, in Debian's Chromium (`npm run test:web`; docs/testing.md). Each worker has a service and a database
 * of its own, each test its own people.
 */
export default defineConfig({
  testDir: 'test',
  testMatch: '**/*.pw.ts',
  outputDir: '../dist/journeys',
  // Journeys take a browser, a service and patience each; CI has few processors for all of them.
  workers: process.env.CI === 'true' ? 1 : 2,
  retries: 0,
  forbidOnly: process.env.CI === 'true',
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: '../dist/journeys.json' }]],
  use: {
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    actionTimeout: 30_000,
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
      ],
    },
  },
});
