import { DataSource } from 'typeorm';
import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt } from 'jose';
import { createUser, login, PASSWORD, refresh, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';
import { signToken } from '../support/tokens';

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

  describe('Log-in', () => {
    beforeAll(() => createUser(admin, 'Alice', { role: 'admin', avatar: 'https://a.example/1.png' }));

    it('answers tokens and the user', async () => {
      const answer = await login(test.api, 'Alice');
      expect(answer.body).toEqual({
        code: 0,
        message: '操作成功',
        data: {
          access_token: expect.any(String),
          token_type: 'Bearer',
          expires_in: 7200,
          refresh_token: expect.stringMatching(/^[\w-]{43}$/),
          user: {
            id: 1,
            account: 'Alice',
            name: 'Alice',
            avatar: 'https://a.example/1.png',
            role: 'admin',
            status: 1,
            created_at: '2026-01-31T08:00:00.000Z',
          },
        },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
    });

    it('puts user, role and session into the access token, good for ACCESS_TOKEN_TTL_SECONDS', async () => {
      const { access_token } = await signIn(test.api, 'Alice');
      const seconds = Date.parse('2026-01-31T08:00:00Z') / 1000;
      expect(decodeJwt(access_token)).toEqual({
        sub: '1',
        role: 'admin',
        sid: expect.stringMatching(/^[\da-f-]{36}$/),
        jti: expect.any(String),
        iat: seconds,
        exp: seconds + 7200,
      });
      expect((await test.api.withToken(access_token).get('/api/admin/users')).status).toBe(200);
    });

    it.each(['alice', 'ALICE', 'aLiCe'])('takes %s for Alice: case does not count', async (account) => {
      expect((await login(test.api, account)).body.data.user.id).toBe(1);
    });

    it('compares accounts without case beyond ASCII, however they are composed', async () => {
      const id = await createUser(admin, 'ÉÇOLE-Straße-ΟΔΟΣ-😀');
      const answer = await login(test.api, 'e\u0301c\u0327ole-STRASSE-οδος-😀');
      expect(answer.body.data.user).toMatchObject({ id, account: 'ÉÇOLE-Straße-ΟΔΟΣ-😀' });
    });

    it.each([
      ['a wrong password', 'Alice', 'wrong horse'],
      ['a password in another case', 'Alice', PASSWORD.toUpperCase()],
      ['an unknown account', 'nobody', PASSWORD],
      ['an account with a space more', 'Alice ', PASSWORD],
    ])('refuses %s with the same 401', async (_, account, password) => {
      const answer = await login(test.api, account, password);
      expect(answer.body).toEqual(BAD_CREDENTIALS);
      expect(answer.status).toBe(401);
    });

    it.each([
      [{}, 'account 字段不能为空'],
      [{ account: ' ', password: PASSWORD }, 'account 字段不能为空'],
      [{ account: 7, password: PASSWORD }, 'account 必须是字符串'],
      [{ account: 'a'.repeat(65), password: PASSWORD }, 'account 长度不能超过 64 个字符'],
      [{ account: 'a\0', password: PASSWORD }, 'account 取值无效'],
      [{ account: 'Alice' }, 'password 字段不能为空'],
      [{ account: 'Alice', password: ['x'] }, 'password 必须是字符串'],
      [{ account: 'Alice', password: 'x'.repeat(129) }, 'password 长度不能超过 128 个字符'],
    ])('refuses %j with 422', async (body, message) => {
      const answer = await test.api.post('/api/auth/login', body);
      expect(answer.body).toEqual({ code: 422, message, data: null });
    });

    it('is open to whoever brings no token, or a bad one', async () => {
      expect((await login(test.api.withToken('junk'), 'Alice')).status).toBe(200);
    });

    it('takes a password however its characters are composed', async () => {
      await createUser(admin, 'composer', { password: 'p\u00e4sswort' });
      expect((await login(test.api, 'composer', 'pa\u0308sswort')).status).toBe(200);
    });
  });

  describe('Refresh', () => {
    let account: string;
    let count = 0;
    beforeEach(async () => {
      account = `refresher-${(count += 1)}`;
      await createUser(admin, account);
    });

    it('answers new tokens of the same session, in the shape of log-in', async () => {
      const before = await signIn(test.api, account);
      const answer = await refresh(test.api, before);
      expect(answer.body).toEqual({
        code: 0,
        message: '操作成功',
        data: {
          access_token: expect.any(String),
          token_type: 'Bearer',
          expires_in: 7200,
          refresh_token: expect.any(String),
          user: expect.objectContaining({ account, role: 'user', status: 1 }),
        },
      });
      const { access_token, refresh_token } = answer.body.data;
      expect(refresh_token).not.toBe(before.refresh_token);
      expect(access_token).not.toBe(before.access_token);
      expect(decodeJwt(access_token).sid).toBe(decodeJwt(before.access_token).sid);
      expect((await meWith(access_token)).status).toBe(200);
      expect((await meWith(before.access_token)).status).toBe(200);
    });

    it('puts the role that is stored now into the token', async () => {
      const before = await signIn(test.api, account);
      const { sub } = decodeJwt(before.access_token);
      await admin.put(`/api/admin/users/${sub}`, { role: 'admin' });
      const { access_token } = (await refresh(test.api, before)).body.data;
      expect(decodeJwt(access_token).role).toBe('admin');
    });

    it('refuses a token again within 10 s of its use, and revokes nothing', async () => {
      const first = await signIn(test.api, account);
      const second = (await refresh(test.api, first)).body.data;
      test.clock.advance(10);
      const again = await refresh(test.api, first);
      expect(again.body).toEqual(SESSION_OVER);
      expect(again.status).toBe(401);
      expect((await meWith(second.access_token)).status).toBe(200);
      expect((await refresh(test.api, second)).status).toBe(200);
    });

    it('revokes the whole family when a used token comes back later', async () => {
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
      'refuses a token that was never given out: %.20s',
      async (refresh_token) => {
        expect((await refresh(test.api, { refresh_token })).body).toEqual(SESSION_OVER);
      },
    );

    it.each([
      [{}, 'refresh_token 字段不能为空'],
      [{ refresh_token: 5 }, 'refresh_token 必须是字符串'],
      [{ refresh_token: 'x'.repeat(2001) }, 'refresh_token 长度不能超过 2000 个字符'],
    ])('refuses %.30j with 422, as logging out does', async (body, message) => {
      for (const path of ['refresh', 'logout']) {
        const answer = await test.api.post(`/api/auth/${path}`, body);
        expect(answer.body).toEqual({ code: 422, message, data: null });
      }
    });

    it('takes no access token for a refresh token, nor the other way round', async () => {
      const { access_token, refresh_token } = await signIn(test.api, account);
      expect((await refresh(test.api, { refresh_token: access_token })).body).toEqual(SESSION_OVER);
      expect((await meWith(refresh_token)).body).toEqual(UNAUTHORIZED);
    });

    it('works until REFRESH_TOKEN_TTL_SECONDS have passed, each token on its own', async () => {
      const first = await signIn(test.api, account);
      test.clock.advance(2_592_000 - 1);
      const second = (await refresh(test.api, first)).body.data;
      test.clock.advance(2_592_000);
      expect((await refresh(test.api, second)).body).toEqual(SESSION_OVER);
    });

    it('stores no token, only hashes', async () => {
      const { refresh_token } = await signIn(test.api, account);
      const rows = await test.app.get(DataSource).query('SELECT * FROM refresh_tokens');
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(refresh_token);
    });
  });

  describe('Log-out', () => {
    it('ends the session: its tokens stop working, others go on', async () => {
      await createUser(admin, 'leaver');
      const ended = await signIn(test.api, 'leaver');
      const other = await signIn(test.api, 'leaver');
      expect((await meWith(ended.access_token)).status).toBe(200);
      const answer = await test.api.post('/api/auth/logout', { refresh_token: ended.refresh_token });
      expect(answer.body).toEqual(DONE);
      expect((await meWith(ended.access_token)).body).toEqual(UNAUTHORIZED);
      expect((await refresh(test.api, ended)).body).toEqual(SESSION_OVER);
      expect((await meWith(other.access_token)).status).toBe(200);
    });

    it('ends it with a used token too, and is content with an unknown one', async () => {
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
      });
    });

    it('of a foreign token has no account, and the role of the token', async () => {
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

    it('is asked for with a token', async () => {
      expect((await test.api.get('/api/auth/me')).body).toEqual(UNAUTHORIZED);
    });
  });

  describe('One’s own password', () => {
    it('can be changed; other sessions end, one’s own goes on', async () => {
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
      const answer = await change(access_token, 'wrong', 'another horse');
      expect(answer.body).toEqual({ code: 422, message: 'old_password 取值无效', data: null });
      expect((await login(test.api, 'guesser')).status).toBe(200);
    });

    it('has 8 to 128 characters, counted as people count', async () => {
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
    ])('refuses %.40j with 422', async (body, message) => {
      const api = await test.api.as({ id: 800_002 });
      expect((await api.put('/api/auth/password', body)).body).toEqual({ code: 422, message, data: null });
    });

    it('does not exist for a user of a provider outside', async () => {
      const api = await test.api.as({ id: 800_003 });
      const body = { old_password: PASSWORD, new_password: PASSWORD };
      expect((await api.put('/api/auth/password', body)).body.message).toBe('old_password 取值无效');
    });

    it('can be guessed at ten times in 15 minutes, not more', async () => {
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
    it('gets the ordinary 401 everywhere, and cannot log in or refresh', async () => {
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

  describe('A token of a session', () => {
    it('is nobody’s when the session is another user’s', async () => {
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

  it('carries issuer and audience when they are configured, so that its own tokens are accepted', async () => {
    const configured = await createTestApp({
      env: { JWT_ISSUER: 'https://id.example', JWT_AUDIENCE: 'callboard' },
    });
    const claims = { sub: '5', role: 'admin', iss: 'https://id.example', aud: 'callboard' };
    const boss = configured.api.withToken(await signToken(claims));
    await createUser(boss, 'local');
    const { access_token } = await signIn(configured.api, 'local');
    expect((await configured.api.withToken(access_token).get('/api/auth/me')).status).toBe(200);
    await configured.close();
  });

  it('has no log-in without JWT_SECRET: 503, since it could not sign', async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const env = {
      JWT_SECRET: '',
      JWT_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    };
    const keyless = await createTestApp({ env });
    const unavailable = { code: 503, message: '服务暂不可用', data: null };
    expect((await login(keyless.api, 'Alice')).body).toEqual(unavailable);
    expect((await refresh(keyless.api, { refresh_token: 'any' })).body).toEqual(unavailable);
    await keyless.close();
  });

  it('clears expired sessions and tokens away, a few with each new token', async () => {
    const small = await createTestApp({
      env: { REFRESH_TOKEN_TTL_SECONDS: '60', ACCESS_TOKEN_TTL_SECONDS: '30' },
    });
    const boss = await small.api.as({ id: 1_000, role: 'admin' });
    await createUser(boss, 'once');
    for (let count = 0; count < 5; count += 1) await refresh(small.api, await signIn(small.api, 'once'));
    small.clock.advance(61);
    await signIn(small.api, 'once');
    const dataSource = small.app.get(DataSource);
    const rows = async (table: string) =>
      Number((await dataSource.query(`SELECT COUNT(*) AS n FROM ${table}`))[0].n);
    expect([await rows('sessions'), await rows('refresh_tokens')]).toEqual([1, 1]);
    await small.close();
  });

  it('lets an access token live out its time when refresh tokens are shorter', async () => {
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
