import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { createUser, refresh, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';
import { signToken, TEST_SECRET } from '../support/tokens';

const FAR_FUTURE = 4_102_444_800;
const NOW = Date.parse('2026-01-31T08:00:00.000Z') / 1000;

describe('Access tokens', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  const codeFor = async (token: string): Promise<number> =>
    (await test.api.withToken(token).get('/api/calls/active')).body.code;

  it('authenticate their user', async () => {
    expect(await codeFor(await signToken({ sub: '5' }))).toBe(0);
  });

  it.each([
    ['an expired one', { sub: '5', exp: NOW }],
    ['one without an expiry', { sub: '5', exp: undefined }],
    ['one for later', { sub: '5', nbf: NOW + 1 }],
    ['one without a user', {}],
  ])('are rejected: %s', async (_, claims) => {
    expect(await codeFor(await signToken(claims))).toBe(401);
  });

  it('are valid until the second of their expiry', async () => {
    expect(await codeFor(await signToken({ sub: '5', exp: NOW + 1 }))).toBe(0);
  });

  it('are valid from the second of their nbf', async () => {
    expect(await codeFor(await signToken({ sub: '5', nbf: NOW }))).toBe(0);
  });

  it('are rejected under another secret', async () => {
    expect(await codeFor(await signToken({ sub: '5' }, 'another-secret-with-32-bytes-or-more!!'))).toBe(401);
  });

  it('are rejected unsigned', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    expect(await codeFor(`${part({ alg: 'none' })}.${part({ sub: '5', exp: FAR_FUTURE })}.`)).toBe(401);
  });

  it('are rejected with an algorithm that is not configured', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const token = await new SignJWT({ sub: '5', exp: FAR_FUTURE })
      .setProtectedHeader({ alg: 'RS256' })
      .sign(privateKey);
    expect(await codeFor(token)).toBe(401);
  });

  it.each(['', 'x', 'a.b.c', 'null', '..', 'é'.repeat(3)])(
    'are rejected when they are "%s"',
    async (token) => {
      expect(await codeFor(token)).toBe(401);
    },
  );

  it.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['the scheme alone', { authorization: 'Bearer' }],
  ])('are required: %s', async (_, headers) => {
    const response = await test.api.with(headers).get('/api/calls/active');
    expect(response.body).toEqual({ code: 401, message: '未授权', data: null });
    expect(response.status).toBe(401);
  });

  it.each([
    'Bearer <token> junk',
    'Bearer <token> <token>',
    'Bearer <token>,',
    'Bearer <token>, Bearer <token>',
    'Bearer "<token>"',
    'Bearer\t<token>',
    'x Bearer <token>',
    'Token <token>',
    '<token>',
  ])('are rejected in a header of another form: %s', async (header) => {
    const authorization = header.replaceAll('<token>', await signToken({ sub: '5' }));
    // Also with a token in the cache of verified tokens.
    expect(await codeFor(await signToken({ sub: '5' }))).toBe(0);
    for (const path of ['/api/calls/active', '/api/admin/users', '/api/nothing']) {
      const response = await test.api.with({ authorization }).get(path);
      expect([response.status, response.body.code]).toEqual([401, 401]);
    }
  });

  it.each(['Bearer <token>', 'bearer <token>', 'BEARER  <token>'])('are accepted as %s', async (header) => {
    const authorization = header.replaceAll('<token>', await signToken({ sub: '5' }));
    expect((await test.api.with({ authorization }).get('/api/calls/active')).body.code).toBe(0);
  });

  it('are not accepted in a URL', async () => {
    const token = await signToken({ sub: '5' });
    const response = await test.api.get(
      `/api/calls/active?access_token=${token}&token=${token}&auth_token=${token}`,
    );
    expect(response.body.code).toBe(401);
  });

  it('of many concurrent users each authenticate their own', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => 5000 + index);
    const clients = await Promise.all(ids.map((id) => test.api.as({ id })));
    const calls = await Promise.all(
      clients.map((client, index) => client.post('/api/calls', { callee_id: ids[index] })),
    );
    // Only the caller's own id is rejected with 41003: if two requests were mixed up, one would call another user.
    expect(new Set(calls.map(({ body }) => body.code))).toEqual(new Set([41003]));
  });

  describe('of a new user', () => {
    const userRow = async (id: number) =>
      (await test.query(`SELECT name, avatar, role, status FROM users WHERE id = ${id}`))[0];

    it('create the user, with the name and picture of the claims', async () => {
      await codeFor(
        await signToken({ sub: '70', name: '小明 👋', picture: 'https://img.example/a.png', role: 'admin' }),
      );
      expect(await userRow(70)).toEqual({
        name: '小明 👋',
        avatar: 'https://img.example/a.png',
        role: 'admin',
        status: 1,
      });
    });

    it('create a user with a default name when there is none in the claims', async () => {
      await codeFor(await signToken({ sub: '71' }));
      expect(await userRow(71)).toEqual({ name: '用户71', avatar: null, role: 'user', status: 1 });
    });

    it.each([
      [72, { name: 'n'.repeat(60) }, 'n'.repeat(50), null],
      [73, { name: 7, picture: 'javascript:alert(1)' }, '用户73', null],
      [74, { name: ' \u0000 ', picture: `https://${'x'.repeat(600)}` }, '用户74', null],
      [740, { picture: 'https://img.example/\u0000.png' }, '用户740', null],
    ])('create user %i for any type of claims', async (id, claims, name, avatar) => {
      await codeFor(await signToken({ sub: String(id), ...claims }));
      expect(await userRow(id)).toMatchObject({ name, avatar });
    });

    it('do not change an existing user', async () => {
      await codeFor(await signToken({ sub: '76', name: 'First' }));
      await codeFor(await signToken({ sub: '76', name: 'Second' }));
      expect(await userRow(76)).toMatchObject({ name: 'First' });
    });
  });

  it('of a disabled user are rejected within 30 s, and accepted again when the user is enabled', async () => {
    const token = await signToken({ sub: '80' });
    expect(await codeFor(token)).toBe(0);
    await test.query('UPDATE users SET status = 0 WHERE id = 80');
    test.clock.advance(30);
    expect(await codeFor(token)).toBe(401);
    await test.query('UPDATE users SET status = 1 WHERE id = 80');
    test.clock.advance(30);
    expect(await codeFor(token)).toBe(0);
  });
});

describe('A rotated JWT secret', () => {
  const OLD = 'the-secret-before-with-32-bytes-or-more!';
  let test: TestApp;
  let account: ApiClient;
  beforeAll(async () => {
    test = await createTestApp({ env: { JWT_SECRET_PREVIOUS: OLD } });
    account = await test.api.as({ id: 900_001, role: 'admin' });
    await createUser(account, 'ann');
  });
  afterAll(() => test?.close());

  const codeFor = async (token: string): Promise<number> =>
    (await test.api.withToken(token).get('/api/calls/active')).body.code;

  it('verifies its tokens while both secrets are configured', async () => {
    expect(await codeFor(await signToken({ sub: '5' }, OLD))).toBe(0);
    expect(await codeFor(await signToken({ sub: '5' }, TEST_SECRET))).toBe(0);
    expect(await codeFor(await signToken({ sub: '5' }, 'another-secret-with-32-bytes-or-more!!'))).toBe(401);
    expect(await codeFor(await signToken({ sub: '5', exp: NOW }, OLD))).toBe(401);
  });

  it('signs no new tokens', async () => {
    const { access_token } = await signIn(test.api, 'ann');
    const verified = async (secret: string): Promise<boolean> =>
      jwtVerify(access_token, Buffer.from(secret), { currentDate: test.clock.now() }).then(
        () => true,
        () => false,
      );
    expect([await verified(TEST_SECRET), await verified(OLD)]).toEqual([true, false]);
  });

  it('keeps the sessions that began under it', async () => {
    const before = await createTestApp({
      database: test.database,
      clock: test.clock,
      env: { JWT_SECRET: OLD },
    });
    const tokens = await signIn(before.api, 'ann');
    await before.close();
    expect(await codeFor(tokens.access_token)).toBe(0);
    expect((await refresh(test.api, tokens)).status).toBe(200);
  });
});

describe('Configured issuer and audience', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp({ env: { JWT_ISSUER: 'https://id.example', JWT_AUDIENCE: 'callboard' } });
  });
  afterAll(() => test?.close());

  it.each([
    [{ iss: 'https://id.example', aud: 'callboard' }, 0],
    [{ iss: 'https://id.example', aud: ['other', 'callboard'] }, 0],
    [{ iss: 'https://evil.example', aud: 'callboard' }, 401],
    [{ iss: 'https://id.example', aud: 'other' }, 401],
    [{}, 401],
  ])('%j returns %i', async (claims, code) => {
    const token = await signToken({ sub: '5', ...claims });
    expect((await test.api.withToken(token).get('/api/calls/active')).body.code).toBe(code);
  });
});

describe('A public key', () => {
  const keys: [string, { publicKey: KeyObject; privateKey: KeyObject }][] = [
    ['RS256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['EdDSA', generateKeyPairSync('ed25519')],
  ];

  it.each(keys)(
    'of %s verifies tokens of its private key, and none signed with it as a secret',
    async (alg, { publicKey, privateKey }) => {
      const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
      const test = await createTestApp({
        env: { JWT_SECRET: '', JWT_PUBLIC_KEY: pem.replaceAll('\n', '\\n') },
      });
      const claims = { sub: '5', exp: FAR_FUTURE };
      const good = await new SignJWT(claims).setProtectedHeader({ alg }).sign(privateKey);
      const codes = [];
      for (const token of [good, await signToken(claims, pem), await signToken(claims, TEST_SECRET)]) {
        codes.push((await test.api.withToken(token).get('/api/calls/active')).body.code);
      }
      expect(codes).toEqual([0, 401, 401]);
      await test.close();
    },
  );
});
