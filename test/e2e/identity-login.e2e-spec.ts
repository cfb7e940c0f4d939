import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt } from 'jose';
import { createUser, login, PASSWORD, refresh, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';
import { signToken } from '../support/tokens';

const BAD_CREDENTIALS = { code: 401, message: '账号或密码错误', data: null };

describe('Identity', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 900_001, role: 'admin' });
  });
  afterAll(() => test?.close());

  describe('Log-in', () => {
    beforeAll(() => createUser(admin, 'Alice', { role: 'admin', avatar: 'https://a.example/1.png' }));

    it('returns tokens and the user', async () => {
      const response = await login(test.api, 'Alice');
      expect(response.body).toEqual({
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
          terminal_id: expect.stringMatching(/^s:[0-9a-f]{16}$/),
        },
      });
      expect(response.status).toBe(200);
      expect(response.headers['cache-control']).toBe('no-store');
    });

    it('stores user, role and session in the access token, valid for ACCESS_TOKEN_TTL_SECONDS', async () => {
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

    it.each(['alice', 'ALICE', 'aLiCe'])('accepts %s for Alice, case-insensitively', async (account) => {
      expect((await login(test.api, account)).body.data.user.id).toBe(1);
    });

    it('compares accounts case-insensitively beyond ASCII, in any composition of characters', async () => {
      const id = await createUser(admin, 'ÉÇOLE-Straße-ΟΔΟΣ-😀');
      const response = await login(test.api, 'e\u0301c\u0327ole-STRASSE-οδος-😀');
      expect(response.body.data.user).toMatchObject({ id, account: 'ÉÇOLE-Straße-ΟΔΟΣ-😀' });
    });

    it.each([
      ['a wrong password', 'Alice', 'wrong horse'],
      ['a password in another case', 'Alice', PASSWORD.toUpperCase()],
      ['an unknown account', 'nobody', PASSWORD],
      ['an account with a space more', 'Alice ', PASSWORD],
    ])('rejects %s with the same 401', async (_, account, password) => {
      const response = await login(test.api, account, password);
      expect(response.body).toEqual(BAD_CREDENTIALS);
      expect(response.status).toBe(401);
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
    ])('rejects %j with 422', async (body, message) => {
      const response = await test.api.post('/api/auth/login', body);
      expect(response.body).toEqual({ code: 422, message, data: null });
    });

    it('ignores missing and invalid tokens', async () => {
      expect((await login(test.api.withToken('junk'), 'Alice')).status).toBe(200);
    });

    it('accepts a password in any composition of its characters', async () => {
      await createUser(admin, 'composer', { password: 'p\u00e4sswort' });
      expect((await login(test.api, 'composer', 'pa\u0308sswort')).status).toBe(200);
    });
  });

  it('issues tokens with the configured issuer and audience, which it accepts', async () => {
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

  it('returns 503 without JWT_SECRET', async () => {
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
});
