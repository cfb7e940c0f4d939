import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { loadConfig } from '../../src/config/config';
import { createApp } from '../../src/create-app';
import { DemoClock } from '../../src/demo/demo-clock';
import { DemoData } from '../../src/demo/demo-data';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import { collideOnce } from '../support/collisions';
import { testEnvironment } from '../support/environment';
import { stopJobs } from '../support/jobs';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createMigratedDatabase } from '../support/migrated-database';

/** Returns the number of rows in each table after the demo was created. `prepare` runs before it. */
async function rowsAfterDemo(
  prepare: (app: NestFastifyApplication) => void,
): Promise<Record<string, number>> {
  const database = await createMigratedDatabase();
  try {
    const clock = new DemoClock();
    const app = await createApp(loadConfig(testEnvironment(database.url)), { clock });
    try {
      await stopJobs({ app });
      prepare(app);
      await app.get(DemoData).seed(clock);
      await app.get(OutboxDispatcher).dispatch();
      const dataSource = app.get(DataSource);
      await expectConsistentMessaging(dataSource);
      const rows: Record<string, number> = {};
      for (const { tableName } of dataSource.entityMetadatas) {
        const [row] = await dataSource.query<{ n: number }[]>(`SELECT COUNT(*) AS n FROM ${tableName}`);
        rows[tableName] = Number(row?.n);
      }
      return rows;
    } finally {
      await app.close();
    }
  } finally {
    await database.drop();
  }
}

describe('Transactions that are retried after a collision', () => {
  it('have the effect of a single transaction', async () => {
    const usual = await rowsAfterDemo(() => undefined);
    let collisions = (): number => 0;
    const again = await rowsAfterDemo((app) => {
      collisions = collideOnce(app);
    });
    expect(again).toEqual(usual);
    expect(again).toMatchObject({ users: 11, calls: 15 });
    expect(collisions()).toBeGreaterThan(300);
  });
});
