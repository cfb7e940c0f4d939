import { DataSource } from 'typeorm';
import { decodeJwt } from 'jose';
import { SessionRetention } from '../../src/identity/sessions/session-retention.job';
import { createUser, refresh, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';
import { signToken } from '../support/tokens';

const UNAUTHORIZED = { code: 401, message: '未授权', data: null };
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

  describe('Refresh', () => {
    let account: string;
    let count = 0;
    beforeEach(async () => {
      account = `refresher-${(count += 1)}`;
      await createUser(admin, account);
    });

    it('returns new tokens of the same session, in the shape of log-in', async () => {
      const before = await signIn(test.api, account);
      const response = await refresh(test.api, before);
      expect(response.body).toEqual({
        code: 0,
        message: '操作成功',
        data: {
          access_token: expect.any(String),
          token_type: 'Bearer',
          expires_in: 7200,
          refresh_token: expect.any(String),
          user: expect.objectContaining({ account, role: 'user', status: 1 }),
          terminal_id: before.terminal_id,
        },
      });
      const { access_token, refresh_token } = response.body.data;
      expect(refresh_token).not.toBe(before.refresh_token);
      expect(access_token).not.toBe(before.access_token);
      expect(decodeJwt(access_token).sid).toBe(decodeJwt(before.access_token).sid);
      expect((await meWith(access_token)).status).toBe(200);
      expect((await meWith(before.access_token)).status).toBe(200);
    });

    it('stores the current role in the token', async () => {
      const before = await signIn(test.api, account);
      const { sub } = decodeJwt(before.access_token);
      await admin.put(`/api/admin/users/${sub}`, { role: 'admin' });
      const { access_token } = (await refresh(test.api, before)).body.data;
      expect(decodeJwt(access_token).role).toBe('admin');
    });

    it('rejects a token reused within 10 s, and revokes nothing', async () => {
      const first = await signIn(test.api, account);
      const second = (await refresh(test.api, first)).body.data;
      test.clock.advance(10);
      const again = await refresh(test.api, first);
      expect(again.body).toEqual(SESSION_OVER);
      expect(again.status).toBe(401);
      expect((await meWith(second.access_token)).status).toBe(200);
      expect((await refresh(test.api, second)).status).toBe(200);
    });

    it('revokes the whole family when a used token is reused later', async () => {
      const first = await signIn(test.api, account);
      const second = (await refresh(test.api, first)).body.data;
      const third = (await refresh(test.api, second)).body.data;
      const other = await signIn(test.api, account);
      test.clock.advance(10.001);
      expect((await refresh(test.api, first)).body).toEqual(SESSION_OVER);
      expect((await refresh(test.api, third)).body).toEqual(SESSION_OVER);
      for (const { access_token } of [first, second, third]) {
        expect((await meWith(access_token)).body).toEqual(UNAUTHORIZED);
      }
      expect((await meWith(other.access_token)).status).toBe(200);
      expect((await refresh(test.api, other)).status).toBe(200);
    });

    it.each(['unknown', 'x'.repeat(2000), '令牌', 'eyJhbGciOiJub25lIn0.e30.'])(
      'rejects an unknown token: %.20s',
      async (refresh_token) => {
        expect((await refresh(test.api, { refresh_token })).body).toEqual(SESSION_OVER);
      },
    );

    it.each([
      [{}, 'refresh_token 字段不能为空'],
      [{ refresh_token: 5 }, 'refresh_token 必须是字符串'],
      [{ refresh_token: 'x'.repeat(2001) }, 'refresh_token 长度不能超过 2000 个字符'],
    ])('rejects %.30j with 422, as log-out does', async (body, message) => {
      for (const path of ['refresh', 'logout']) {
        const response = await test.api.post(`/api/auth/${path}`, body);
        expect(response.body).toEqual({ code: 422, message, data: null });
      }
    });

    it('does not accept an access token as refresh token, or the reverse', async () => {
      const { access_token, refresh_token } = await signIn(test.api, account);
      expect((await refresh(test.api, { refresh_token: access_token })).body).toEqual(SESSION_OVER);
      expect((await meWith(refresh_token)).body).toEqual(UNAUTHORIZED);
    });

    it('accepts each token until its own REFRESH_TOKEN_TTL_SECONDS have passed', async () => {
      const first = await signIn(test.api, account);
      test.clock.advance(2_592_000 - 1);
      const second = (await refresh(test.api, first)).body.data;
      test.clock.advance(2_592_000);
      expect((await refresh(test.api, second)).body).toEqual(SESSION_OVER);
    });

    it('stores only hashes of tokens', async () => {
      const { refresh_token } = await signIn(test.api, account);
      const rows = await test.app.get(DataSource).query('SELECT * FROM refresh_tokens');
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(refresh_token);
    });
  });

  describe('Log-out', () => {
    it('ends the session: its tokens are rejected, and other sessions continue', async () => {
      await createUser(admin, 'leaver');
      const ended = await signIn(test.api, 'leaver');
      const other = await signIn(test.api, 'leaver');
      expect((await meWith(ended.access_token)).status).toBe(200);
      const response = await test.api.post('/api/auth/logout', { refresh_token: ended.refresh_token });
      expect(response.body).toEqual(DONE);
      expect((await meWith(ended.access_token)).body).toEqual(UNAUTHORIZED);
      expect((await refresh(test.api, ended)).body).toEqual(SESSION_OVER);
      expect((await meWith(other.access_token)).status).toBe(200);
    });

    it('ends the session with a used token too, and accepts an unknown one', async () => {
      await createUser(admin, 'twice');
      const first = await signIn(test.api, 'twice');
      const second = (await refresh(test.api, first)).body.data;
      const { refresh_token } = first;
      expect((await test.api.post('/api/auth/logout', { refresh_token })).body).toEqual(DONE);
      expect((await meWith(second.access_token)).body).toEqual(UNAUTHORIZED);
      expect((await test.api.post('/api/auth/logout', { refresh_token })).body).toEqual(DONE);
      expect((await test.api.post('/api/auth/logout', { refresh_token: 'unknown' })).body).toEqual(DONE);
    });
  });

  describe('A token of a session', () => {
    it('is rejected when the session belongs to another user', async () => {
      await createUser(admin, 'owner');
      const { sid } = decodeJwt((await signIn(test.api, 'owner')).access_token);
      const forged = await signToken({ sub: '900001', role: 'admin', sid });
      expect((await meWith(forged)).body).toEqual(UNAUTHORIZED);
    });

    it('creates no user', async () => {
      const orphan = await signToken({ sub: '700001', sid: '3f0e0a9c-0000-4000-8000-000000000000' });
      expect((await meWith(orphan)).body).toEqual(UNAUTHORIZED);
      expect((await admin.get('/api/admin/users/700001')).body.code).toBe(404);
    });
  });

  it('deletes expired sessions and tokens in a job', async () => {
    const small = await createTestApp({
      env: { REFRESH_TOKEN_TTL_SECONDS: '60', ACCESS_TOKEN_TTL_SECONDS: '30' },
    });
    const boss = await small.api.as({ id: 1_000, role: 'admin' });
    await createUser(boss, 'once');
    for (let count = 0; count < 5; count += 1) await refresh(small.api, await signIn(small.api, 'once'));
    small.clock.advance(61);
    await signIn(small.api, 'once');
    await small.app.get(SessionRetention).trim();
    const dataSource = small.app.get(DataSource);
    const rows = async (table: string) =>
      Number((await dataSource.query(`SELECT COUNT(*) AS n FROM ${table}`))[0].n);
    expect([await rows('sessions'), await rows('refresh_tokens')]).toEqual([1, 1]);
    await small.close();
  });

  it('keeps an access token valid when refresh tokens have a shorter TTL', async () => {
    const odd = await createTestApp({
      env: { REFRESH_TOKEN_TTL_SECONDS: '60', ACCESS_TOKEN_TTL_SECONDS: '600' },
    });
    const boss = await odd.api.as({ id: 1_000, role: 'admin' });
    await createUser(boss, 'odd');
    const { access_token } = await signIn(odd.api, 'odd');
    odd.clock.advance(599);
    await signIn(odd.api, 'odd');
    expect((await odd.api.withToken(access_token).get('/api/auth/me')).status).toBe(200);
    odd.clock.advance(1);
    expect((await odd.api.withToken(access_token).get('/api/auth/me')).status).toBe(401);
    await odd.close();
  });
});
