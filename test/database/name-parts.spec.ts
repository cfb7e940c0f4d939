import { DataSource } from 'typeorm';
import { FindPeople1763900000000 } from '../../src/database/migrations/1763900000000-FindPeople';
import { createTestApp, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

describe('The migration of name parts', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('writes the parts of all names in batches, and can run twice', async () => {
    const dataSource = test.app.get(DataSource);
    const ids = Array.from({ length: 1_203 }, (_, index) => index + 1);
    for (let start = 0; start < ids.length; start += 500)
      await insertUsers(dataSource, ids.slice(start, start + 500));
    await test.query("UPDATE users SET name = '王小明 Straße' WHERE id = 1203");
    await test.query(`UPDATE users SET name = '${'一'.repeat(50)}' WHERE id <= 100`);
    const runner = dataSource.createQueryRunner();
    try {
      const migration = new FindPeople1763900000000();
      await migration.down(runner);
      await migration.up(runner);
      await migration.up(runner);
    } finally {
      await runner.release();
    }
    const [{ n }] = (await test.query('SELECT COUNT(*) AS n FROM user_name_parts')) as [{ n: number }];
    // Fifty parts of each of 100 users, two of each other user ("user 101" and "101"), and the four below.
    expect(n).toBe(100 * 50 + 1_102 * 2 + 4);
    expect(await test.query('SELECT part FROM user_name_parts WHERE user_id = 1203 ORDER BY part')).toEqual([
      { part: 'strasse' },
      { part: '小明 strasse' },
      { part: '明 strasse' },
      { part: '王小明 strasse' },
    ]);
    expect(await test.query('SELECT discoverable, presence_visible FROM users WHERE id = 1')).toEqual([
      { discoverable: 1, presence_visible: 1 },
    ]);
  });
});
