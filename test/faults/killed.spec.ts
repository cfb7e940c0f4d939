import { DataSource } from 'typeorm';
import { loadConfig } from '../../src/config/config';
import { createDataSource } from '../../src/database/data-source';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { InvariantChecker } from '../support/invariant-checker';
import { MixedTraffic } from '../support/mixed-traffic';
import { PersistentClient } from '../support/persistent-client';
import { ServiceProcess } from '../support/service-process';
import { testEnvironment } from '../support/test-app';

const PEOPLE = Array.from({ length: 10 }, (_, index) => index + 11);
const KILLS = 10;
/** Acknowledged acts between two kills. */
const ACTS = 40;

describe('A service that is killed during mixed load, ten times in a row', () => {
  let database: TestDatabase;
  let service: ServiceProcess | undefined;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await ServiceProcess.start(database.url, { LOG_LEVEL: 'error' });
    dataSource = createDataSource(loadConfig(testEnvironment(database.url)).database);
    await dataSource.initialize();
  });
  afterAll(async () => {
    process.stderr.write((service?.lines ?? []).join('\n').slice(0, 6000));
    await service?.kill();
    await dataSource?.destroy();
    await database?.drop();
  });

  it('has every write that it acknowledged, once, and nothing disagrees', async () => {
    const client = new PersistentClient(() => [service?.url ?? '']);
    const traffic = new MixedTraffic(client.send, PEOPLE);
    await traffic.prepare();
    const { ledger } = traffic;
    let isOver = false;
    const load = traffic.keepActing(8, () => isOver);
    let kills = 0;
    const killing = async (): Promise<void> => {
      for (; kills < KILLS; kills += 1) {
        const enough = ledger.acknowledged + ACTS;
        while (ledger.acknowledged < enough) await new Promise((resolve) => setTimeout(resolve, 5));
        await service?.kill();
        service = await ServiceProcess.start(database.url, { LOG_LEVEL: 'error' });
      }
    };
    await Promise.race([load, killing()]);
    isOver = true;
    await load;
    expect(kills).toBe(10);
    expect(client.failures).toBeGreaterThanOrEqual(10);
    expect(ledger.acknowledged).toBeGreaterThanOrEqual(400);
    await new InvariantChecker(traffic, dataSource).check();
  }, 120_000);
});
