import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';

const ROUNDS = 6;
const LINES = 60;

interface Report {
  items: { external_id: string; id: number; result: string }[];
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

/** Sends the same users twice concurrently, on two instances. */
describe('Bulk upserts of users, on two instances', () => {
  let one: TestApp;
  let two: TestApp;
  let admins: [ApiClient, ApiClient];
  beforeAll(async () => {
    one = await createTestApp();
    two = await createTestApp({ database: one.database, clock: one.clock });
    const boss = { id: 900_001, role: 'admin' } as const;
    admins = [await one.api.as(boss), await two.api.as(boss)];
    for (const admin of admins) await admin.get('/api/auth/me');
  });
  afterAll(async () => {
    await two?.close();
    await one?.close();
  });

  const bulk = async (who: ApiClient, users: object[]): Promise<Report> =>
    (await who.post('/api/admin/users/bulk', { users })).body.data as Report;
  const countRows = async (sql: string): Promise<number> =>
    Number(((await one.query(sql)) as { n: number | string }[])[0]?.n);
  const users = (round: number, more: object = {}) =>
    Array.from({ length: LINES }, (_, index) => ({
      external_id: `${round}-${index}`,
      account: `u-${round}-${index}`,
      name: `User ${index}`,
      ...more,
    }));

  it('create users once, with correct results of both requests', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const reports = await Promise.all(
        [...admins, ...admins].map((admin, index) =>
          bulk(admin, index % 2 === 0 ? users(round) : users(round).toReversed()),
        ),
      );
      expect(reports.reduce((sum, { created }) => sum + created, 0)).toBe(LINES);
      for (const { created, updated, unchanged, failed } of reports)
        expect([created + unchanged, updated, failed]).toEqual([LINES, 0, 0]);
      const ids = new Map(reports[0]?.items.map(({ external_id, id }) => [external_id, id]));
      expect(new Set(ids.values()).size).toBe(LINES);
      for (const { items } of reports)
        expect(items.every(({ external_id, id }) => ids.get(external_id) === id)).toBe(true);
      expect(await countRows(`SELECT COUNT(*) AS n FROM users WHERE external_id LIKE '${round}-%'`)).toBe(
        LINES,
      );
    }
  });

  it('count each change once, during equal single changes', async () => {
    const wanted = users(100);
    const made = await bulk(admins[0], wanted);
    const renames = await Promise.all([
      bulk(admins[0], users(100, { name: 'Left' })),
      bulk(admins[1], users(100, { name: 'Right' })),
      ...made.items
        .slice(0, 20)
        .map(({ id }, index) =>
          admins[index % 2 === 0 ? 0 : 1].put(`/api/admin/users/${id}`, { account: `alone-${index}` }),
        ),
    ]);
    const [left, right] = renames as unknown as [Report, Report];
    expect([left.updated, right.updated, left.failed, right.failed]).toEqual([LINES, LINES, 0, 0]);
    const names = await one.query("SELECT DISTINCT name FROM users WHERE external_id LIKE '100-%'");
    expect(names).toHaveLength(1);
  });

  it('accept a user created concurrently with the same account or external id', async () => {
    for (let round = 200; round < 200 + ROUNDS; round += 1) {
      const [report, ...alone] = await Promise.all([
        bulk(admins[0], users(round)),
        ...Array.from({ length: 5 }, (_, index) =>
          admins[1].post('/api/admin/users', {
            account: `u-${round}-${index}`,
            password: 'correct horse',
            name: 'Alone',
            external_id: `${round}-${index + 5}`,
          }),
        ),
      ]);
      expect(alone.every(({ status }) => status === 200 || status === 409)).toBe(true);
      const made = alone.filter(({ status }) => status === 200).length;
      expect(report.created + report.updated + report.failed + report.unchanged).toBe(LINES);
      const there = await countRows(`SELECT COUNT(*) AS n FROM users WHERE external_id LIKE '${round}-%'`);
      expect(there).toBe(report.created + made);
    }
  });
});
