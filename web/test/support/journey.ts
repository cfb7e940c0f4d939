import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { ServiceProcess } from '../../../test/support/service-process';
import { type Person, Stage } from './stage';

export { expect } from '@playwright/test';

interface Fixtures {
  /** People of this test's own, and the browsers that they use; whatever a console complains of fails the test. */
  stage: Stage;
  /** An administrator of this test's own. */
  admin: Person;
}

interface WorkerFixtures {
  /** The built service on a database of its own, with the demo data. */
  service: ServiceProcess;
}

/** Maximum time to start a service on a busy machine. */
export const START_MS = 300_000;

/** Starts the built service on a database of its own, with the demo data. Ends it after use. */
export async function provideService(
  env: NodeJS.ProcessEnv,
  provide: (service: ServiceProcess) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-journeys-'));
  const service = await ServiceProcess.start(`sqlite:${join(folder, 'test.sqlite')}`, {
    DEMO_DATA: 'on',
    MEDIA_PROVIDER: 'webrtc',
    CHAT_NOTICES: 'members,calls',
    USER_DIRECTORY: 'exact',
    // A call must not end by itself while a busy machine draws it.
    CALL_RING_TIMEOUT_SECONDS: '600',
    // The service answers 503 to a request that takes longer, of which the console complains.
    REQUEST_TIMEOUT_SECONDS: '600',
    WEBHOOK_SECRET: 'the-secret-of-the-webhooks-of-journeys',
    OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1/32',
    ...env,
  });
  await provide(service);
  await service.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** A journey through the pages. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  service: [
    // oxlint-disable-next-line no-empty-pattern -- fixtures are found by what they take apart
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
