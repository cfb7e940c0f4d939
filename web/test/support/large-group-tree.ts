import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../../../test/support/service-process';
import { insertGroups } from './insert-groups';
import { JOURNEY_ENVIRONMENT, START_MS, test as journey } from './journey';

/**
 * A test with 10,000 device groups in addition to the demo data: 35 sites with 99 rooms each, and a tower with 6,499
 * flats.
 */
export const test = journey.extend<object, { service: ServiceProcess }>({
  service: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from the destructuring
    async ({}, provide) => {
      const folder = mkdtempSync(join(tmpdir(), 'callboard-estate-'));
      const file = join(folder, 'test.sqlite');
      const service = await ServiceProcess.start(`sqlite:${file}`, JOURNEY_ENVIRONMENT);
      insertGroups(file, [35, 99], (place) =>
        place.length === 1 ? `Site ${place[0]}` : `Room ${place.join('-')}`,
      );
      insertGroups(file, [1, 6_499], (place) => (place.length === 1 ? 'Tower' : `Flat ${place[1]}`));
      await provide(service);
      await service.kill();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: START_MS },
  ],
});
