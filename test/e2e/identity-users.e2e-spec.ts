import { createUser, login, PASSWORD, refresh, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';

const DONE = { code: 0, message: '操作成功', data: null };
const NOT_FOUND = { code: 404, message: '用户不存在', data: null };

describe('User administration', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 900_001, role: 'admin', name: 'Boss' });
  });
  afterAll(() => test?.close());

  describe('Creating', () => {
    it('returns the user, who can log in', async () => {
      const body = {
        account: 'First.User',
        password: PASSWORD,
        name: '第一 👩‍👩‍👧',
        avatar: 'https://a.example/1.png',
        role: 'admin',
      };
      const response = await admin.post('/api/admin/users', body);
      expect(response.body).toEqual({
        code: 0,
        message: '操作成功',
        data: {
          id: 1,
          account: 'First.User',
          external_id: null,
          online: false,
          last_seen_at: null,
          name: '第一 👩‍👩‍👧',
          avatar: 'https://a.example/1.png',
          role: 'admin',
          status: 1,
          created_at: '2026-01-31T08:00:00.000Z',
        },
      });
      expect((await admin.get('/api/admin/users/1')).body.data).toEqual(response.body.data);
      expect((await login(test.api, 'First.User')).status).toBe(200);
    });

    it('creates a user of role user without an avatar by default', async () => {
      const body = {
        account: 'plain',
        password: PASSWORD,
        name: 'Plain',
        avatar: null,
        role: null,
        status: 0,
        id: 7,
      };
      const { data } = (await admin.post('/api/admin/users', body)).body;
      expect(data).toMatchObject({ avatar: null, role: 'user', status: 1 });
      expect(data.id).not.toBe(7);
    });

    it('returns 409 for an account in use, case-insensitively', async () => {
      await createUser(admin, 'Größe');
      const body = { account: 'GRÖSSE', password: PASSWORD, name: 'x' };
      const response = await admin.post('/api/admin/users', body);
      expect(response.body).toEqual({ code: 409, message: '账号已存在', data: null });
      expect(response.status).toBe(409);
    });

    const valid = { account: 'valid', password: PASSWORD, name: 'Valid' };
    it.each([
      [{}, 'account 字段不能为空'],
      [{ ...valid, account: '😀'.repeat(65) }, 'account 长度不能超过 64 个字符'],
      [{ ...valid, account: 'a\0b' }, 'account 取值无效'],
      [{ ...valid, password: undefined, name: '' }, 'password 字段不能为空'],
      [{ ...valid, password: '1234567' }, 'password 长度不能少于 8 个字符'],
      [{ ...valid, password: '1'.repeat(129) }, 'password 长度不能超过 128 个字符'],
      [{ ...valid, password: 12345678 }, 'password 必须是字符串'],
      [{ ...valid, name: '  ' }, 'name 字段不能为空'],
      [{ ...valid, name: '名'.repeat(51) }, 'name 长度不能超过 50 个字符'],
      [{ ...valid, avatar: 'ftp://a.example' }, 'avatar 取值无效'],
      [{ ...valid, avatar: `https://a.example/${'x'.repeat(500)}` }, 'avatar 长度不能超过 500 个字符'],
      [{ ...valid, role: 'root' }, 'role 取值无效'],
    ])('rejects %.80j with 422', async (body, message) => {
      expect((await admin.post('/api/admin/users', body)).body).toEqual({ code: 422, message, data: null });
    });

    it('accepts accounts and names of full length whose case-folded form is longer', async () => {
      const account = 'ΐ'.repeat(64);
      const id = await createUser(admin, account, { name: 'ﬃ'.repeat(50), password: '1'.repeat(128) });
      expect((await admin.get(`/api/admin/users/${id}`)).body.data).toMatchObject({
        account,
        name: 'ﬃ'.repeat(50),
      });
      expect((await login(test.api, account.toUpperCase().slice(0, 64))).status).toBe(401);
      expect((await login(test.api, account, '1'.repeat(128))).status).toBe(200);
    });
  });

  describe('Ids', () => {
    it('stay small when an external token has the greatest one, and skip ids in use', async () => {
      const other = await createTestApp();
      const boss = await other.api.as({ id: 9_007_199_254_740_991, role: 'admin' });
      expect((await boss.get('/api/auth/me')).body.data.id).toBe(9_007_199_254_740_991);
      for (const id of [2, 3, 4, 6]) await (await other.api.as({ id })).get('/api/auth/me');
      const ids: number[] = [];
      for (const account of ['a', 'b', 'c', 'd']) ids.push(await createUser(boss, account));
      expect(ids).toEqual([1, 5, 7, 8]);
      await other.close();
    });
  });

  describe('Changing', () => {
    it('changes only the given fields, and returns the user', async () => {
      const id = await createUser(admin, 'changeable', { avatar: 'https://a.example/1.png' });
      const change = async (body: object) => (await admin.put(`/api/admin/users/${id}`, body)).body.data;
      const before = (await admin.get(`/api/admin/users/${id}`)).body.data;
      expect(await change({})).toEqual(before);
      expect(await change({ name: '新名' })).toEqual({ ...before, name: '新名' });
      expect(await change({ avatar: null })).toEqual({ ...before, name: '新名', avatar: null });
      expect(await change({ role: 'admin', status: 0 })).toMatchObject({ role: 'admin', status: 0 });
      expect(await change({ status: 1, account: 'CHANGED' })).toMatchObject({
        status: 1,
        account: 'CHANGED',
      });
      expect((await login(test.api, 'changed')).status).toBe(200);
      expect((await login(test.api, 'changeable')).status).toBe(401);
    });

    it('does not reassign an account in use', async () => {
      await createUser(admin, 'owned');
      const id = await createUser(admin, 'wanting');
      const response = await admin.put(`/api/admin/users/${id}`, { account: 'Owned' });
      expect(response.body).toEqual({ code: 409, message: '账号已存在', data: null });
      const own = await admin.put(`/api/admin/users/${id}`, { account: 'WANTING' });
      expect(own.body.data.account).toBe('WANTING');
    });

    it('sets an account and a password for an external user', async () => {
      await (await test.api.as({ id: 800_001, name: 'Foreign' })).get('/api/auth/me');
      await admin.put('/api/admin/users/800001', { account: 'foreign' });
      expect((await login(test.api, 'foreign')).status).toBe(401);
      expect((await admin.put('/api/admin/users/800001/password', { password: PASSWORD })).body).toEqual(
        DONE,
      );
      expect((await login(test.api, 'foreign')).body.data.user).toMatchObject({
        id: 800_001,
        name: 'Foreign',
      });
    });

    it.each([
      [{ account: '' }, 'account 字段不能为空'],
      [{ name: '' }, 'name 字段不能为空'],
      [{ name: 5 }, 'name 必须是字符串'],
      [{ avatar: 'x' }, 'avatar 取值无效'],
      [{ role: 'root' }, 'role 取值无效'],
      [{ status: 2 }, 'status 取值无效'],
      [{ status: '1' }, 'status 必须是整数'],
    ])('rejects %j with 422', async (body, message) => {
      const response = await admin.put('/api/admin/users/900001', body);
      expect(response.body).toEqual({ code: 422, message, data: null });
    });

    it.each(['GET', 'PUT'] as const)(
      'returns 404 for %s of an unknown user, and 422 for an invalid id',
      async (method) => {
        expect((await admin.send(method, '/api/admin/users/123456789')).body).toEqual(NOT_FOUND);
        const odd = await admin.send(method, '/api/admin/users/x');
        expect(odd.body).toEqual({ code: 422, message: 'id 必须是整数', data: null });
      },
    );
  });

  describe('Setting a password', () => {
    it('ends all sessions of the user', async () => {
      const id = await createUser(admin, 'forgetful');
      const tokens = await signIn(test.api, 'forgetful');
      const me = () => test.api.withToken(tokens.access_token).get('/api/auth/me');
      expect((await me()).status).toBe(200);
      const response = await admin.put(`/api/admin/users/${id}/password`, { password: 'a new horse' });
      expect(response.body).toEqual(DONE);
      expect((await me()).status).toBe(401);
      expect((await refresh(test.api, tokens)).status).toBe(401);
      expect((await login(test.api, 'forgetful')).status).toBe(401);
      expect((await login(test.api, 'forgetful', 'a new horse')).status).toBe(200);
    });

    it.each([
      [{}, 'password 字段不能为空'],
      [{ password: '1234567' }, 'password 长度不能少于 8 个字符'],
    ])('rejects %j with 422', async (body, message) => {
      const response = await admin.put('/api/admin/users/900001/password', body);
      expect(response.body).toEqual({ code: 422, message, data: null });
    });

    it('returns 404 for an unknown user', async () => {
      const response = await admin.put('/api/admin/users/123456789/password', { password: PASSWORD });
      expect(response.body).toEqual(NOT_FOUND);
    });
  });
});
