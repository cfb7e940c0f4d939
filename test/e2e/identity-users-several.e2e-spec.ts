import { createUser, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { createTestApp, START, type TestApp } from '../support/test-app';

const USERS = '/api/admin/users';
const rejection = (message: string) => ({ code: 422, message, data: null });

describe('Bulk user administration', () => {
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

  const bulk = async (body: object, who = boss) => (await who.put(`${USERS}/bulk`, body)).body;
  const userOf = async (id: number) => (await boss.get(`${USERS}/${id}`)).body.data;

  describe('with other users', () => {
    beforeAll(start);
    afterAll(stop);

    it('changes status and role of all, and returns the number that changed', async () => {
      const [one, two] = [await createUser(boss, 'one'), await createUser(boss, 'two', { role: 'admin' })];
      expect(await bulk({ user_ids: [one, two, two], role: 'admin' })).toEqual({
        code: 0,
        message: '操作成功',
        data: { affected: 1 },
      });
      expect((await bulk({ user_ids: [one, two], status: 0, role: 'admin' })).data).toEqual({ affected: 2 });
      expect(await userOf(one)).toMatchObject({ status: 0, role: 'admin', name: expect.any(String) });
      expect((await bulk({ user_ids: [one, two], status: 0 })).data).toEqual({ affected: 0 });
    });

    it('ends the sessions of disabled users', async () => {
      const one = await createUser(boss, 'three');
      const user = test.api.withToken((await signIn(test.api, 'three')).access_token);
      expect((await user.get('/api/auth/me')).status).toBe(200);
      await bulk({ user_ids: [one], status: 0 });
      expect((await user.get('/api/auth/me')).status).toBe(401);
      await bulk({ user_ids: [one], status: 1 });
      expect((await user.get('/api/auth/me')).status).toBe(401);
    });

    it('changes nothing when a user is unknown', async () => {
      const one = await createUser(boss, 'four');
      expect(await bulk({ user_ids: [one, 7777, 9999], status: 0 })).toEqual(
        rejection('用户不存在: 7777, 9999'),
      );
      expect((await userOf(one)).status).toBe(1);
    });

    it('changes the users that match a filter except the caller, and returns where to continue', async () => {
      const ids = [await createUser(boss, 'match-1'), await createUser(boss, 'match-2')];
      const matching = async (query: string, body: object) =>
        (await boss.put(`${USERS}/matching?${query}`, body)).body;
      expect(await matching('keyword=match-', { status: 0 })).toEqual({
        code: 0,
        message: '操作成功',
        data: { affected: 2, matched: 2, next_after_id: null },
      });
      expect((await matching('keyword=match-', { status: 1, after_id: ids[0] })).data).toEqual({
        affected: 1,
        matched: 1,
        next_after_id: null,
      });
      expect((await matching('keyword=boss', { status: 0 })).data).toEqual({
        affected: 0,
        matched: 1,
        next_after_id: null,
      });
      expect((await userOf(bossId)).status).toBe(1);
      expect(await matching('keyword=match-', {})).toEqual(rejection('status 字段不能为空'));
    });

    it('changes 500 matching users per request', async () => {
      const users = Array.from({ length: 500 }, (_, index) => ({
        external_id: `many-${index}`,
        name: `Many ${index}`,
      }));
      await boss.post(`${USERS}/bulk`, { users });
      await boss.post(`${USERS}/bulk`, { users: [{ external_id: 'many-500', name: 'Many 500' }] });
      const first = (await boss.put(`${USERS}/matching?keyword=Many`, { status: 0 })).body.data;
      expect(first).toMatchObject({ affected: 500, matched: 500 });
      const body = { status: 0, after_id: first.next_after_id };
      expect((await boss.put(`${USERS}/matching?keyword=Many`, body)).body.data).toEqual({
        affected: 1,
        matched: 1,
        next_after_id: null,
      });
    });

    it.each([
      [{ status: 1 }, 'user_ids 字段不能为空'],
      [{ user_ids: [], status: 1 }, 'user_ids 字段不能为空'],
      [{ user_ids: 3, status: 1 }, 'user_ids 必须是数组'],
      [{ user_ids: [1] }, 'status 字段不能为空'],
      [{ user_ids: [1], status: null, role: '' }, 'status 字段不能为空'],
      [{ user_ids: [1], status: 2 }, 'status 取值无效'],
      [{ user_ids: [1], role: 'king' }, 'role 取值无效'],
    ])('rejects %j with "%s"', async (body, message) => {
      expect(await bulk(body)).toEqual(rejection(message));
    });

    it.each([
      ['sort=name', 'sort 取值无效'],
      ['sort=password_hash', 'sort 取值无效'],
      ['from=2026-13-01', 'from 取值无效'],
      ['to=now', 'to 取值无效'],
    ])('rejects the list query %s with "%s"', async (query, message) => {
      expect((await boss.get(`${USERS}?${query}`)).body).toEqual(rejection(message));
    });
  });

  describe('with no other users', () => {
    beforeEach(start);
    afterEach(stop);

    it('keeps the last administrators, regardless of the number of ids', async () => {
      const other = await createUser(boss, 'other', { role: 'admin' });
      const user = await createUser(boss, 'user');
      expect(await bulk({ user_ids: [user, other, bossId], status: 0 })).toEqual(
        rejection('status 取值无效'),
      );
      expect(await bulk({ user_ids: [other, bossId], role: 'user' })).toEqual(rejection('role 取值无效'));
      expect(await bulk({ user_ids: [other, bossId], status: 0, role: 'user' })).toEqual(
        rejection('role 取值无效'),
      );
      expect([await userOf(user), await userOf(other), await userOf(bossId)]).toMatchObject([
        { status: 1, role: 'user' },
        { status: 1, role: 'admin' },
        { status: 1, role: 'admin' },
      ]);
      expect((await bulk({ user_ids: [other, user], role: 'user' })).data).toEqual({ affected: 1 });
      expect(await bulk({ user_ids: [bossId], role: 'user' })).toEqual(rejection('role 取值无效'));
      const stranger = await test.api.as({ id: 900_001, role: 'admin' });
      expect((await bulk({ user_ids: [bossId], role: 'user' }, stranger)).data).toEqual({ affected: 1 });
    });

    describe('lists users', () => {
      const accountsIn = async (query: string): Promise<string[]> =>
        (await boss.get(`${USERS}?${query}`)).body.data.items.flatMap(
          ({ account }: { account: string | null }) => account ?? [],
        );

      it('in the requested order', async () => {
        for (const [account, moment] of [
          ['Zoe', '2026-01-31T08:00:02.000Z'],
          ['adam', '2026-01-31T08:00:01.000Z'],
        ] as const) {
          test.clock.set(moment);
          await createUser(boss, account);
        }
        expect(await accountsIn('sort=id')).toEqual(['boss', 'Zoe', 'adam']);
        expect(await accountsIn('sort=-id')).toEqual(['adam', 'Zoe', 'boss']);
        expect(await accountsIn('sort=account')).toEqual(['adam', 'boss', 'Zoe']);
        expect(await accountsIn('sort=-account')).toEqual(['Zoe', 'boss', 'adam']);
        expect(await accountsIn('sort=created_at')).toEqual(['boss', 'adam', 'Zoe']);
        expect(await accountsIn('sort=-created_at&per_page=1')).toEqual(['Zoe']);
        test.clock.set(START);
      });

      it('created within a time range', async () => {
        test.clock.set('2026-01-31T16:00:00.000Z');
        boss = test.api.withToken((await signIn(test.api, 'boss')).access_token);
        await createUser(boss, 'late');
        expect(await accountsIn('from=2026-02-01')).toEqual(['late']);
        expect(await accountsIn('to=2026-01-31')).toEqual(['boss']);
        expect(await accountsIn('from=2026-01-31T08:00:00Z&to=2026-01-31T16:00:00Z')).toEqual(['boss']);
      });
    });
  });
});
