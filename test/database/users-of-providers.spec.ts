import { DataSource } from 'typeorm';
import { NameUsersByProviders1763800010000 } from '../../src/database/migrations/1763800010000-NameUsersByProviders';
import { createTestApp, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

describe('The migration of external ids', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('keeps existing users under their ids, and resumes after an interruption', async () => {
    const dataSource = test.app.get(DataSource);
    await insertUsers(dataSource, [1, 7, 9_007_199_254_740_991]);
    const runner = dataSource.createQueryRunner();
    try {
      const migration = new NameUsersByProviders1763800010000();
      await migration.down(runner);
      await runner.query("ALTER TABLE users ADD COLUMN issuer varchar(255) NOT NULL DEFAULT ''");
      await migration.up(runner);
      await migration.up(runner);
    } finally {
      await runner.release();
    }
    expect(await test.query('SELECT id, name, issuer, external_id FROM users ORDER BY id')).toEqual([
      { id: 1, name: 'User 1', issuer: '', external_id: null },
      { id: 7, name: 'User 7', issuer: '', external_id: null },
      { id: 9_007_199_254_740_991, name: 'User 9007199254740991', issuer: '', external_id: null },
    ]);
    const drift = await dataSource.driver.createSchemaBuilder().log();
    expect(drift.upQueries.map(({ query }) => query)).toEqual([]);
  });
});
