import { DataSource } from 'typeorm';
import { writeTestEvents } from '../support/test-events';
import { createTestApp, type TestApp } from '../support/test-app';

describe('The migration of shared event payloads', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  const poll = async (id: number) =>
    (await (await test.api.as({ id })).get('/api/events/poll')).body.data.items;
  const [longText, created_at] = ['长'.repeat(3_000), '2026-01-31T08:00:00.000Z'];

  /** Returns 1 if the migration was recorded, otherwise 0. */
  const done = async (): Promise<number> =>
    (await test.query("SELECT name FROM migrations WHERE name = 'ShareEventPayloads1763700010000'")).length;

  it('keeps earlier events readable, and restores them when it is reverted', async () => {
    const payloads = () => test.query('SELECT user_id, seq, payload FROM events ORDER BY user_id, seq');
    const shared = { a: { text: longText } };
    await writeTestEvents(
      test,
      [5, 6].map((userId) => ({ userId, type: 'a', shared, own: { a: { n: userId } } })),
    );
    expect(await payloads()).toEqual([
      { user_id: 5, seq: 1, payload: '"n":5}}' },
      { user_id: 6, seq: 1, payload: '"n":6}}' },
    ]);
    const expected = [{ id: 1, type: 'a', created_at, a: { text: longText, n: 5 } }];
    expect(await poll(5)).toEqual(expected);

    const dataSource = test.app.get(DataSource);
    while ((await done()) > 0) await dataSource.undoLastMigration();
    expect(await payloads()).toEqual([
      { user_id: 5, seq: 1, payload: `{"a":{"text":"${longText}","n":5}}` },
      { user_id: 6, seq: 1, payload: `{"a":{"text":"${longText}","n":6}}` },
    ]);
    await dataSource.runMigrations();
    expect(await poll(5)).toEqual(expected);
  });
});
