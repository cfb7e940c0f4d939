import { createUser, login, PASSWORD, refresh, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';

const UNAUTHORIZED = { code: 401, message: '未授权', data: null };
const BAD_CREDENTIALS = { code: 401, message: '账号或密码错误', data: null };
const SESSION_OVER = { code: 401, message: '登录已失效,请重新登录', data: null };
const DONE = { code: 0, message: '操作成功', data: null };

describe('Identity', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 900_001, role: 'admin' });
  });
  afterAll(() => test?.close());

  const meWith = (token: string) => test.api.withToken(token).get('/api/auth/me');
  const change = (token: string, old_password: string, new_password: string) =>
    test.api.withToken(token).put('/api/auth/password', { old_password, new_password });

  describe('The current user', () => {
    it('is the account that logged in', async () => {
      const id = await createUser(admin, 'Myself', { name: '我' });
      const { access_token } = await signIn(test.api, 'myself');
      const created_at = test.clock.now().toISOString();
      expect((await meWith(access_token)).body.data).toEqual({
        id,
        account: 'Myself',
        name: '我',
        avatar: null,
        role: 'user',
        created_at,
        discoverable: true,
        presence_visible: true,
        terminal_id: expect.stringMatching(/^s:[0-9a-f]{16}$/),
      });
    });

    it('of an external token has no account, and the role of the token', async () => {
      const api = await test.api.as({ id: 800_001, name: 'Bob' });
      expect((await api.get('/api/auth/me')).body.data).toMatchObject({
        id: 800_001,
        account: null,
        name: 'Bob',
        role: 'user',
      });
      const asAdmin = await test.api.as({ id: 800_001, name: 'Robert', role: 'admin' });
      expect((await asAdmin.get('/api/auth/me')).body.data).toMatchObject({ name: 'Bob', role: 'admin' });
      expect((await admin.get('/api/admin/users/800001')).body.data.role).toBe('user');
    });
  });

  describe('The user’s own password', () => {
    it('can be changed: other sessions end, and the current one continues', async () => {
      await createUser(admin, 'changer');
      const mine = await signIn(test.api, 'changer');
      const other = await signIn(test.api, 'changer');
      expect((await meWith(other.access_token)).status).toBe(200);
      expect((await change(mine.access_token, PASSWORD, 'another horse')).body).toEqual(DONE);
      expect((await meWith(other.access_token)).body).toEqual(UNAUTHORIZED);
      expect((await refresh(test.api, other)).body).toEqual(SESSION_OVER);
      expect((await meWith(mine.access_token)).status).toBe(200);
      expect((await refresh(test.api, mine)).status).toBe(200);
      expect((await login(test.api, 'changer')).body).toEqual(BAD_CREDENTIALS);
      expect((await login(test.api, 'changer', 'another horse')).status).toBe(200);
    });

    it('is not changed without the old one', async () => {
      await createUser(admin, 'guesser');
      const { access_token } = await signIn(test.api, 'guesser');
      const response = await change(access_token, 'wrong', 'another horse');
      expect(response.body).toEqual({ code: 422, message: 'old_password 取值无效', data: null });
      expect((await login(test.api, 'guesser')).status).toBe(200);
    });

    it('has 8 to 128 characters, counted as code points', async () => {
      await createUser(admin, 'counter');
      const { access_token } = await signIn(test.api, 'counter');
      const message = async (length: number) =>
        (await change(access_token, PASSWORD, '😀'.repeat(length))).body.message;
      expect(await message(7)).toBe('new_password 长度不能少于 8 个字符');
      expect(await message(129)).toBe('new_password 长度不能超过 128 个字符');
      expect(await message(128)).toBe('操作成功');
      expect((await login(test.api, 'counter', '😀'.repeat(128))).status).toBe(200);
    });

    it.each([
      [{ new_password: 'long enough' }, 'old_password 字段不能为空'],
      [{ old_password: PASSWORD }, 'new_password 字段不能为空'],
      [{ old_password: 'x'.repeat(129), new_password: 'x' }, 'old_password 长度不能超过 128 个字符'],
    ])('is rejected as %.40j with 422', async (body, message) => {
      const api = await test.api.as({ id: 800_002 });
      expect((await api.put('/api/auth/password', body)).body).toEqual({ code: 422, message, data: null });
    });

    it('does not exist for a user of an external provider', async () => {
      const api = await test.api.as({ id: 800_003 });
      const body = { old_password: PASSWORD, new_password: PASSWORD };
      expect((await api.put('/api/auth/password', body)).body.message).toBe('old_password 取值无效');
    });

    it('can be guessed ten times in 15 minutes', async () => {
      await createUser(admin, 'stolen');
      const { access_token } = await signIn(test.api, 'stolen');
      for (let guess = 1; guess <= 10; guess += 1) {
        expect((await change(access_token, `guess ${guess}`, 'another horse')).status).toBe(422);
      }
      const eleventh = await change(access_token, PASSWORD, 'another horse');
      expect(eleventh.body).toEqual({ code: 429, message: '请求过于频繁', data: null });
      expect(eleventh.headers['retry-after']).toBe('900');
      expect((await login(test.api, 'stolen')).status).toBe(200);
    });
  });

  describe('A disabled user', () => {
    it('receives the usual 401 on all routes, and cannot log in or refresh', async () => {
      const id = await createUser(admin, 'outcast', { role: 'admin' });
      const tokens = await signIn(test.api, 'outcast');
      const foreign = await test.api.as({ id });
      expect((await foreign.get('/api/auth/me')).status).toBe(200);
      await admin.put(`/api/admin/users/${id}`, { status: 0 });

      expect((await meWith(tokens.access_token)).body).toEqual(UNAUTHORIZED);
      expect((await foreign.get('/api/auth/me')).body).toEqual(UNAUTHORIZED);
      const onAdminPath = await test.api.withToken(tokens.access_token).get('/api/admin/users');
      expect(onAdminPath.body).toEqual({ code: 401, message: '未授权,请先登录', data: null });
      expect((await login(test.api, 'outcast')).body).toEqual(BAD_CREDENTIALS);
      expect((await refresh(test.api, tokens)).body).toEqual(SESSION_OVER);

      await admin.put(`/api/admin/users/${id}`, { status: 1 });
      expect((await foreign.get('/api/auth/me')).status).toBe(200);
      expect((await login(test.api, 'outcast')).status).toBe(200);
      expect((await meWith(tokens.access_token)).body).toEqual(UNAUTHORIZED);
      expect((await refresh(test.api, tokens)).body).toEqual(SESSION_OVER);
    });
  });
});
