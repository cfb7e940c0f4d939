import { createUser, PASSWORD, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { statementsOf } from '../support/statements';
import { createTestApp, type TestApp } from '../support/test-app';

const USERS = '/api/admin/users';
const BULK = '/api/admin/users/bulk';

interface Item {
  index: number;
  external_id: string | null;
  id: number | null;
  result: string;
  message: string | null;
}

describe('Bulk upserts of users', () => {
  let test: TestApp;
  let boss: ApiClient;
  let bossId: number;
  const start = async (): Promise<void> => {
    test = await createTestApp();
    const stranger = await test.api.as({ id: 900_001, role: 'admin' });
    bossId = await createUser(stranger, 'boss', { role: 'admin' });
    boss = test.api.withToken((await signIn(test.api, 'boss')).access_token);
  };
  const stop = () => test?.close();

  const bulk = async (users: unknown, who = boss) => (await who.post(BULK, { users })).body;
  const idsOf = async (users: unknown): Promise<(number | null)[]> =>
    (await bulk(users)).data.items.map(({ id }: Item) => id);
  const outcomes = async (users: unknown, who = boss): Promise<(string | null)[]> =>
    (await bulk(users, who)).data.items.map(({ result, message }: Item) => message ?? result);
  const userOf = async (id: unknown) => (await boss.get(`${USERS}/${Number(id)}`)).body.data;

  describe('with no other users', () => {
    beforeEach(start);
    afterEach(stop);

    it('reports the results without writing anything with dry_run=1', async () => {
      await bulk([{ external_id: 'known', name: 'Known' }]);
      const users = [{ external_id: 'new', name: 'New' }, { external_id: 'known', name: 'Renamed' }, {}];
      const { data } = (await boss.post(`${BULK}?dry_run=1`, { users })).body;
      expect(data).toMatchObject({ created: 1, updated: 1, unchanged: 0, failed: 1 });
      expect(data.items[0]).toMatchObject({ external_id: 'new', id: null, result: 'created' });
      const names = async (externalId: string) =>
        (await boss.get(`${USERS}?external_id=${externalId}`)).body.data.items.map(
          ({ name }: { name: string }) => name,
        );
      expect(await names('new')).toEqual([]);
      expect(await names('known')).toEqual(['Known']);
    });

    it('create unknown users, and update changed ones', async () => {
      expect(
        await bulk([
          { external_id: 'a', name: 'Ann', account: 'Ann', avatar: 'https://a.example/a.png' },
          { external_id: 'b', name: 'Ben', status: 0, unknown: 1 },
        ]),
      ).toEqual({
        code: 0,
        message: '操作成功',
        data: {
          items: [
            { index: 0, external_id: 'a', id: bossId + 1, result: 'created', message: null },
            { index: 1, external_id: 'b', id: bossId + 2, result: 'created', message: null },
          ],
          created: 2,
          updated: 0,
          unchanged: 0,
          failed: 0,
        },
      });
      expect(await userOf(bossId + 1)).toEqual({
        id: bossId + 1,
        account: 'Ann',
        external_id: 'a',
        name: 'Ann',
        avatar: 'https://a.example/a.png',
        role: 'user',
        status: 1,
        created_at: '2026-01-31T08:00:00.000Z',
        online: false,
        last_seen_at: null,
      });
      expect(await userOf(bossId + 2)).toMatchObject({ account: null, avatar: null, status: 0 });
      const { data } = await bulk([
        { external_id: 'a', name: 'Ann', account: null, avatar: null },
        { external_id: 'b' },
        { external_id: 'c', name: 'Cat' },
      ]);
      expect(data).toMatchObject({ created: 1, updated: 1, unchanged: 1, failed: 0 });
      expect(data.items.map(({ result }: Item) => result)).toEqual(['updated', 'unchanged', 'created']);
      expect(await userOf(bossId + 1)).toMatchObject({ name: 'Ann', account: null, avatar: null, status: 1 });
    });

    it('reject invalid items individually', async () => {
      await createUser(boss, 'Taken');
      const { data } = await bulk([
        { external_id: 'good', name: 'Good' },
        { external_id: 'nameless' },
        { external_id: 'odd', name: 7 },
        { name: 'Nobody' },
        'nonsense',
        { external_id: 'x'.repeat(129), name: 'Long' },
        { external_id: 'good', name: 'Good again' },
        { external_id: 'taken', name: 'Taker', account: 'TAKEN' },
        { external_id: 'one', name: 'One', account: 'same' },
        { external_id: 'two', name: 'Two', account: 'SAME' },
        { external_id: 'off', name: 'Off', status: 2, avatar: 'x' },
      ]);
      expect(data).toMatchObject({ created: 2, updated: 0, unchanged: 0, failed: 9 });
      expect(
        data.items.map(({ external_id, id, message }: Item) => [external_id, id === null, message]),
      ).toEqual([
        ['good', false, null],
        ['nameless', true, 'name 字段不能为空'],
        ['odd', true, 'name 必须是字符串'],
        [null, true, 'external_id 字段不能为空'],
        [null, true, 'users 必须是对象'],
        [null, true, 'external_id 长度不能超过 128 个字符'],
        ['good', true, 'external_id 取值无效'],
        ['taken', true, '账号已存在'],
        ['one', false, null],
        ['two', true, '账号已存在'],
        ['off', true, 'avatar 取值无效'],
      ]);
      expect((await boss.get(`${USERS}?per_page=100`)).body.data.pagination.total).toBe(5);
    });

    it('keep the last administrator who can log in, from a session', async () => {
      const other = await createUser(boss, 'other', { role: 'admin', external_id: 'other' });
      await boss.put(`${USERS}/${bossId}`, { external_id: 'boss' });
      const off = [
        { external_id: 'other', status: 0 },
        { external_id: 'boss', status: 0 },
      ];
      expect(await outcomes(off)).toEqual(['updated', 'status 取值无效']);
      expect(await outcomes([{ external_id: 'boss', account: null }])).toEqual(['account 取值无效']);
      expect([await userOf(other), await userOf(bossId)]).toMatchObject([{ status: 0 }, { status: 1 }]);
      const stranger = await test.api.as({ id: 900_001, role: 'admin' });
      expect(await outcomes(off, stranger)).toEqual(['unchanged', 'updated']);
    });

    it('allocate ids above those of tokens', async () => {
      for (const taken of [3, 4, 6, 8])
        await (await test.api.as({ id: taken + bossId - 1 })).get('/api/auth/me');
      const ids = await idsOf(['a', 'b', 'c', 'd', 'e'].map((name) => ({ external_id: name, name })));
      expect(ids.map((id) => Number(id) - bossId + 1)).toEqual([2, 5, 7, 9, 10]);
      expect(await createUser(boss, 'next')).toBe(bossId + 10);
    });

    it('use few statements, regardless of the number of users', async () => {
      const users = Array.from({ length: 500 }, (_, index) => ({
        external_id: `crm-${index}`,
        account: `crm-${index}`,
        name: `Person ${index}`,
      }));
      // Loads the caller into the cache.
      await boss.get('/api/auth/me');
      const statements = (of: object[]) =>
        statementsOf(test, async () => expect((await bulk(of)).data.failed).toBe(0));
      expect((await statements(users)).length).toBe(10);
      expect((await statements(users)).length).toBe(3);
      const renamed = users.map((user, index) => ({ ...user, name: `Renamed ${index}`, status: index % 2 }));
      expect((await statements(renamed)).length).toBe(16);
      expect((await boss.get(`${USERS}?keyword=renamed&per_page=1`)).body.data.pagination.total).toBe(500);
    });
  });

  describe('with other users', () => {
    beforeAll(start);
    afterAll(stop);

    it.each([
      [undefined, 'users 字段不能为空'],
      [[], 'users 字段不能为空'],
      ['x', 'users 必须是数组'],
      [{ external_id: 'a' }, 'users 必须是数组'],
      [Array(501).fill('user'), 'users 数量不能超过 500'],
    ])('are rejected as a whole when they are %.30j', async (users, message) => {
      expect(await bulk(users)).toEqual({ code: 422, message, data: null });
    });

    it('do not match a user by an account that an earlier item has not released', async () => {
      const swap = async (a: string | null, b: string | null) =>
        outcomes([
          { external_id: 'a', name: 'A', account: a },
          { external_id: 'b', name: 'B', account: b },
        ]);
      expect(await swap('left', 'right')).toEqual(['created', 'created']);
      expect(await swap('right', 'left')).toEqual(['账号已存在', '账号已存在']);
      expect(await swap(null, 'left')).toEqual(['updated', '账号已存在']);
      expect(await swap('LEFT', 'right')).toEqual(['updated', 'unchanged']);
      expect(await swap(null, 'right')).toEqual(['updated', 'unchanged']);
      expect(await swap('x', 'left')).toEqual(['updated', 'updated']);
    });

    it('publish events for changes, and end the sessions of disabled users', async () => {
      const id = await createUser(boss, 'ann', { external_id: 'told' });
      const ann = test.api.withToken((await signIn(test.api, 'ann')).access_token);
      const events = async () => (await ann.get('/api/events/poll?after=0')).body.data.items;
      await bulk([{ external_id: 'told', name: 'Anna', avatar: 'https://a.example/a.png' }]);
      await bulk([{ external_id: 'told', name: 'Anna', status: 1 }]);
      expect(await events()).toMatchObject([
        { type: 'user.updated', user: { id, name: 'Anna', avatar: 'https://a.example/a.png' } },
      ]);
      expect((await ann.get('/api/users?keyword=anna')).status).toBe(200);
      expect(await outcomes([{ external_id: 'told', status: 0 }])).toEqual(['updated']);
      expect((await ann.get('/api/auth/me')).status).toBe(401);
      expect(await outcomes([{ external_id: 'told', status: 1 }])).toEqual(['updated']);
      expect((await ann.get('/api/auth/me')).status).toBe(401);
      expect((await signIn(test.api, 'ann', PASSWORD)).access_token).toEqual(expect.any(String));
    });

    it('update the name search, for new names only', async () => {
      const namesFor = async (keyword: string): Promise<string[]> =>
        (await boss.get(`/api/users?keyword=${encodeURIComponent(keyword)}`)).body.data.items.map(
          ({ name }: { name: string }) => name,
        );
      await bulk([
        { external_id: 'lee', name: 'Ann Lee' },
        { external_id: 'xiaoming', name: '王小明' },
      ]);
      expect([await namesFor('lee'), await namesFor('小明')]).toEqual([['Ann Lee'], ['王小明']]);
      await bulk([
        { external_id: 'lee', name: 'Ann Chen' },
        { external_id: 'xiaoming', name: '王大明' },
      ]);
      expect([await namesFor('lee'), await namesFor('chen'), await namesFor('大明')]).toEqual([
        [],
        ['Ann Chen'],
        ['王大明'],
      ]);
    });

    it('ignore an Idempotency-Key: items have ids of their own', async () => {
      const once = boss.with({ 'idempotency-key': 'k' });
      expect((await bulk([{ external_id: 'first', name: 'First' }], once)).data.created).toBe(1);
      expect((await bulk([{ external_id: 'second', name: 'Second' }], once)).data.created).toBe(1);
    });

    it('report in the language of the client', async () => {
      const english = await createTestApp({ env: { MESSAGE_LANGUAGE: 'auto' } });
      const admin = await english.api.as({ id: 900_001, role: 'admin' });
      const client = admin.with({ 'accept-language': 'en' });
      expect((await bulk([{ external_id: 'a' }], client)).data.items[0].message).toBe(
        'name must not be empty',
      );
      expect((await bulk([{ external_id: 'a' }], admin)).data.items[0].message).toBe('name 字段不能为空');
      await english.close();
    });
  });
});
