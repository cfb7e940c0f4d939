import type { ApiClient } from '../support/api-client';
import { PresenceFixture } from '../support/presence-fixture';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const USERS = '/api/admin/users';
/** The list of the test's users, which excludes administrators. */
const LIST = `${USERS}?role=user`;

describe('The last seen time of users', () => {
  let test: TestApp;
  let admin: ApiClient;
  const people = new PresenceFixture();
  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
    admin = await testUser(test.api, { id: 900, role: 'admin' });
    await test.query("UPDATE users SET role = 'admin' WHERE id = 900");
    for (const id of [1, 2, 3, 4, 5, 6, 7]) await testUser(test.api, { id });
    const ago = (seconds: number) => new Date(Date.parse(START) - seconds * 1_000).toISOString();
    const seen = [
      [2, ago(60)],
      [3, ago(3_600)],
      [5, ago(600)],
      [6, ago(600)],
      // Not shown, because the user is online.
      [4, ago(99_999)],
    ].map(
      ([id, at]) => `(${id}, '${START.slice(0, 10)}', 1, '${String(at).replace('T', ' ').replace('Z', '')}')`,
    );
    await test.query(
      `INSERT INTO presence (user_id, changed_at, version, last_seen_at) VALUES ${seen.join(', ')}`,
    );
    await people.connect(test, 4);
    await people.connect(test, 7);
  });
  afterAll(async () => {
    people.close();
    await test?.close();
  });

  const idsOf = async (query: string): Promise<number[]> => {
    const { items } = (await admin.get(`${LIST}&${query}`)).body.data as { items: { id: number }[] };
    return items.map(({ id }) => id);
  };
  const of = async (id: number) => {
    const { online, last_seen_at } = (await admin.get(`${USERS}/${id}`)).body.data;
    return { online, last_seen_at };
  };
  const DOWN = [7, 4, 2, 6, 5, 3, 1];

  it('is part of the record, the list and the response of a change', async () => {
    expect(await of(4)).toEqual({ online: true, last_seen_at: null });
    expect(await of(2)).toEqual({ online: false, last_seen_at: '2026-01-31T07:59:00.000Z' });
    expect(await of(1)).toEqual({ online: false, last_seen_at: null });
    const [first, second] = (await admin.get(`${LIST}&per_page=2`)).body.data.items;
    expect([first, second]).toMatchObject([
      { id: 1, online: false, last_seen_at: null },
      { id: 2, online: false, last_seen_at: '2026-01-31T07:59:00.000Z' },
    ]);
    expect((await admin.put(`${USERS}/4`, { name: 'Four' })).body.data).toMatchObject({
      name: 'Four',
      online: true,
      last_seen_at: null,
    });
  });

  it('is visible to administrators also for users who hide it', async () => {
    const four = await test.api.as({ id: 4 });
    await four.put('/api/auth/me', { presence_visible: false });
    expect(await of(4)).toEqual({ online: true, last_seen_at: null });
    expect(await idsOf('online=1')).toEqual([4, 7]);
  });

  it('filters the list by online users', async () => {
    const { items, pagination } = (await admin.get(`${LIST}&online=1&per_page=1`)).body.data;
    expect(items).toMatchObject([{ id: 4 }]);
    expect(pagination).toMatchObject({ total: 2, last_page: 2, has_more: true });
    expect(await idsOf('online=1&sort=-id')).toEqual([7, 4]);
    expect(await idsOf('online=1&sort=-last_seen_at')).toEqual([7, 4]);
    expect(await idsOf('online=1&status=0')).toEqual([]);
    expect(await idsOf('online=0')).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const refused = await admin.get(`${USERS}?online=2`);
    expect(refused.body).toEqual({ code: 422, message: 'online 取值无效', data: null });
  });

  it('sorts the list consistently over pages', async () => {
    expect(await idsOf('sort=-last_seen_at')).toEqual(DOWN);
    expect(await idsOf('sort=last_seen_at')).toEqual(DOWN.toReversed());
    for (const size of [1, 2, 3, 4, 5, 6])
      for (const [sort, order] of [
        ['-last_seen_at', DOWN],
        ['last_seen_at', DOWN.toReversed()],
      ] as const) {
        const pages: number[] = [];
        for (let page = 1; page <= Math.ceil(DOWN.length / size) + 1; page += 1)
          pages.push(...(await idsOf(`sort=${sort}&per_page=${size}&page=${page}`)));
        expect(pages).toEqual(order);
      }
  });

  it('can be combined with other filters', async () => {
    expect(await idsOf('sort=-last_seen_at&keyword=four')).toEqual([4]);
    expect(await idsOf(`sort=-last_seen_at&to=${START}`)).toEqual([]);
    expect(await idsOf(`sort=-last_seen_at&from=${START}&status=1`)).toEqual(DOWN);
  });

  it('is null when presence is disabled', async () => {
    const off = await createTestApp({ database: test.database, clock: test.clock, env: { PRESENCE: 'off' } });
    try {
      const boss = await off.api.as({ id: 900, role: 'admin' });
      expect((await boss.get(`${LIST}&online=1`)).body.data).toMatchObject({
        items: [],
        pagination: { total: 0 },
      });
      const { items } = (await boss.get(`${LIST}&sort=-last_seen_at&per_page=2`)).body.data;
      expect(items).toMatchObject([
        { id: 7, online: false, last_seen_at: null },
        { id: 6, online: false, last_seen_at: null },
      ]);
    } finally {
      await off.close();
    }
  });

  it('is set ten seconds after the last stream closed', async () => {
    const reader = await people.connect(test, 1);
    await people.disconnect(test, reader);
    expect(await of(1)).toEqual({ online: true, last_seen_at: null });
    expect(await idsOf('online=1')).toEqual([1, 4, 7]);
    await people.advance(10, test);
    expect(await of(1)).toEqual({ online: false, last_seen_at: START });
    expect(await idsOf('online=1')).toEqual([4, 7]);
    expect((await idsOf('sort=-last_seen_at')).slice(0, 4)).toEqual([7, 4, 1, 2]);
  });
});
