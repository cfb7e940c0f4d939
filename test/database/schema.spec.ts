import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { loadConfig } from '../../src/config/config';
import { createApp } from '../../src/create-app';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { testEnvironment } from '../support/environment';
import { createTestApp } from '../support/test-app';

describe('Schema', () => {
  it('equals the entities, down to the last index, after the migrations', async () => {
    // The service does not import entities whose tables it reads by SQL alone.
    for (const file of globSync('src/**/*.entity.ts')) require(join(process.cwd(), file));
    const test = await createTestApp();
    expect(test.app.get(DataSource).entityMetadatas.map(({ tableName }) => tableName)).toContain('mute_ends');
    const drift = await test.app.get(DataSource).driver.createSchemaBuilder().log();
    expect(drift.upQueries.map(({ query }) => query)).toEqual([]);
    await test.close();
  });

  it('can be reverted migration by migration', async () => {
    const test = await createTestApp();
    const dataSource = test.app.get(DataSource);
    const { length } = dataSource.migrations;
    for (let count = 0; count < length; count += 1) await dataSource.undoLastMigration();
    expect(await dataSource.query('SELECT COUNT(*) AS n FROM migrations')).toEqual([{ n: 0 }]);
    await test.close();
  });

  describe('when several instances start at once', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase();
    });
    afterAll(() => database?.drop());

    it('is migrated exactly once', async () => {
      const config = loadConfig(testEnvironment(database.url));
      const apps = await Promise.all(Array.from({ length: 5 }, () => createApp(config)));
      const dataSource = apps[0]?.get(DataSource);
      const rows = (await dataSource?.query<{ name: string }[]>('SELECT name FROM migrations')) ?? [];
      expect(rows).toHaveLength(dataSource?.migrations.length ?? 0);
      expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
      await Promise.all(apps.map((app) => app.close()));
    });
  });
});
