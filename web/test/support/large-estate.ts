import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../../../test/support/service-process';
import { plantGroups } from './group-estate';
import { START_MS, test as journey } from './journey';

/** A journey with 10,000 groups beside the demonstration: 35 sites of 99 rooms, and a tower of 6,499 flats. */
export const test = journey.extend<object, { service: ServiceProcess }>({
  service: [
    // oxlint-disable-next-line no-empty-pattern -- fixtures are found by what they take apart
    async ({}, provide) => {
      const folder = mkdtempSync(join(tmpdir(), 'callboard-estate-'));
      const file = join(folder, 'test.sqlite');
      const service = await ServiceProcess.start(`sqlite:${file}`, { DEMO_DATA: 'on' });
      plantGroups(file, [35, 99], (place) =>
        place.length === 1 ? `Site ${place[0]}` : `Room ${place.join('-')}`,
      );
      plantGroups(file, [1, 6_499], (place) => (place.length === 1 ? 'Tower' : `Flat ${place[1]}`));
      await provide(service);
      await service.kill();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: START_MS },
  ],
});
