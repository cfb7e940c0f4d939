import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { ServiceProcess } from '../../../test/support/service-process';
import { type Person, Stage } from './stage';

export { expect } from '@playwright/test';

interface Fixtures {
  /** Creates users and browsers for the test. Any console error or warning fails the test. */
  stage: Stage;
  /** An administrator used only by this test. */
  admin: Person;
}

interface WorkerFixtures {
  /** The built service with its own database and the demo data. */
  service: ServiceProcess;
}

/** Maximum time to start a service on a busy machine. */
export const START_MS = 300_000;

/** Environment of a service for journeys. */
export const JOURNEY_ENVIRONMENT = {
  DEMO_DATA: 'on',
  MEDIA_PROVIDER: 'webrtc',
  // An unanswered call must not time out while a busy machine renders it.
  CALL_RING_TIMEOUT_SECONDS: '600',
  // Slower requests are answered with 503, which the console reports.
  REQUEST_TIMEOUT_SECONDS: '600',
};

/** Starts the built service with its own database and the demo data, and stops it after use. */
export async function provideService(
  env: NodeJS.ProcessEnv,
  provide: (service: ServiceProcess) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-journeys-'));
  const service = await ServiceProcess.start(`sqlite:${join(folder, 'test.sqlite')}`, {
    ...JOURNEY_ENVIRONMENT,
    CHAT_NOTICES: 'members,calls',
    USER_DIRECTORY: 'exact',
    WEBHOOK_SECRET: 'the-secret-of-the-webhooks-of-journeys',
    OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1/32',
    ATTACHMENT_STORAGE: `file:${join(folder, 'attachments')}`,
    ...env,
  });
  await provide(service);
  await service.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** A test of the web app in a browser. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  service: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from the destructuring
    async ({}, provide) => provideService({}, provide),
    { scope: 'worker', timeout: START_MS },
  ],
  stage: async ({ browser, service }, provide) => {
    const stage = new Stage(browser, service);
    await provide(stage);
    await stage.clear();
  },
  admin: async ({ stage }, provide) => provide(await stage.person({ role: 'admin' })),
});
