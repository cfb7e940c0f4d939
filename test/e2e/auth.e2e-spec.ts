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

  it('let their user in', async () => {
    expect(await codeFor(await signToken({ sub: '5' }))).toBe(0);
  });

  it.each([
    ['an expired one', { sub: '5', exp: NOW }],
    ['one without an expiry', { sub: '5', exp: undefined }],
    ['one for later', { sub: '5', nbf: NOW + 1 }],
    ['one without a user', {}],
    ['a user id that is a number', { sub: 5 }],
    ['a user id that is no integer', { sub: 'alice' }],
    ['user 0', { sub: '0' }],
    ['a negative user', { sub: '-5' }],
    ['a user id with a leading zero', { sub: '05' }],
    ['a user id beyond 2^53-1', { sub: '9007199254740992' }],
  ])('are refused: %s', async (_, claims) => {
    expect(await codeFor(await signToken(claims))).toBe(401);
  });

  it('are good until the second of their expiry', async () => {
    expect(await codeFor(await signToken({ sub: '5', exp: NOW + 1 }))).toBe(0);
  });

  it('are honoured from the second of their nbf', async () => {
    expect(await codeFor(await signToken({ sub: '5', nbf: NOW }))).toBe(0);
  });

  it('are refused under another secret', async () => {
    expect(await codeFor(await signToken({ sub: '5' }, 'another-secret-with-32-bytes-or-more!!'))).toBe(401);
  });

  it('are refused unsigned', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    expect(await codeFor(`${part({ alg: 'none' })}.${part({ sub: '5', exp: FAR_FUTURE })}.`)).toBe(401);
  });

  it('are refused when they ask for an algorithm that is not configured', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const token = await new SignJWT({ sub: '5', exp: FAR_FUTURE })
      .setProtectedHeader({ alg: 'RS256' })
      .sign(privateKey);
    expect(await codeFor(token)).toBe(401);
  });

  it.each(['', 'x', 'a.b.c', 'null', '..', 'é'.repeat(3)])(
    'are refused when they are "%s"',
    async (token) => {
      expect(await codeFor(token)).toBe(401);
    },
  );

  it.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['the scheme alone', { authorization: 'Bearer' }],
  ])('are needed: %s', async (_, headers) => {
    const answer = await test.api.with(headers).get('/api/calls/active');
    expect(answer.body).toEqual({ code: 401, message: '未授权', data: null });
    expect(answer.status).toBe(401);
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
  ])('are refused in a header of another shape: %s', async (header) => {
    const authorization = header.replaceAll('<token>', await signToken({ sub: '5' }));
    // A token that was let in a moment ago takes another way.
    expect(await codeFor(await signToken({ sub: '5' }))).toBe(0);
    for (const path of ['/api/calls/active', '/api/admin/users', '/api/nothing']) {
      const answer = await test.api.with({ authorization }).get(path);
      expect([answer.status, answer.body.code]).toEqual([401, 401]);
    }
  });

  it.each(['Bearer <token>', 'bearer <token>', 'BEARER  <token>'])('are accepted as %s', async (header) => {
    const authorization = header.replaceAll('<token>', await signToken({ sub: '5' }));
    expect((await test.api.with({ authorization }).get('/api/calls/active')).body.code).toBe(0);
  });

  it('are never taken from a URL', async () => {
    const token = await signToken({ sub: '5' });
    const answer = await test.api.get(
      `/api/calls/active?access_token=${token}&token=${token}&auth_token=${token}`,
    );
    expect(answer.body.code).toBe(401);
  });

  it('of many users at once each stand for their own', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => 5000 + index);
    const clients = await Promise.all(ids.map((id) => test.api.as({ id })));
    const calls = await Promise.all(
      clients.map((client, index) => client.post('/api/calls', { callee_id: ids[index] })),
    );
    // Only one's own id is refused with 41003; had two requests been mixed up, one would call somebody else.
    expect(new Set(calls.map(({ body }) => body.code))).toEqual(new Set([41003]));
  });

  describe('of somebody not seen before', () => {
    const userRow = async (id: number) =>
      (await test.query(`SELECT name, avatar, role, status FROM users WHERE id = ${id}`))[0];

    it('make the user, with the name and the picture in them', async () => {
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

    it('make a user with a name of its own when there is none in them', async () => {
      await codeFor(await signToken({ sub: '71' }));
      expect(await userRow(71)).toEqual({ name: '用户71', avatar: null, role: 'user', status: 1 });
    });

    it.each([
      [72, { name: 'n'.repeat(60) }, 'n'.repeat(50), null],
      [73, { name: 7, picture: 'javascript:alert(1)' }, '用户73', null],
      [74, { name: ' \u0000 ', picture: `https://${'x'.repeat(600)}` }, '用户74', null],
      [740, { picture: 'https://img.example/\u0000.png' }, '用户740', null],
    ])('make user %i whatever the shape of its claims', async (id, claims, name, avatar) => {
      await codeFor(await signToken({ sub: String(id), ...claims }));
      expect(await userRow(id)).toMatchObject({ name, avatar });
    });

    it('change an existing user no more', async () => {
      await codeFor(await signToken({ sub: '76', name: 'First' }));
      await codeFor(await signToken({ sub: '76', name: 'Second' }));
      expect(await userRow(76)).toMatchObject({ name: 'First' });
    });

    it('take the greatest id there is', async () => {
      expect(await codeFor(await signToken({ sub: '9007199254740991' }))).toBe(0);
    });
  });

  it('of a disabled user stop working within 30 s, and work again afterwards', async () => {
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

describe('A secret that was exchanged', () => {
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

  it('is good for the tokens that it signed, while both are named', async () => {
    expect(await codeFor(await signToken({ sub: '5' }, OLD))).toBe(0);
    expect(await codeFor(await signToken({ sub: '5' }, TEST_SECRET))).toBe(0);
    expect(await codeFor(await signToken({ sub: '5' }, 'another-secret-with-32-bytes-or-more!!'))).toBe(401);
    expect(await codeFor(await signToken({ sub: '5', exp: NOW }, OLD))).toBe(401);
  });

  it('signs no more', async () => {
    const { access_token } = await signIn(test.api, 'ann');
    const verified = async (secret: string): Promise<boolean> =>
      jwtVerify(access_token, Buffer.from(secret), { currentDate: test.clock.now() }).then(
        () => true,
        () => false,
      );
    expect([await verified(TEST_SECRET), await verified(OLD)]).toEqual([true, false]);
  });

  it('leaves sessions alone: one that began under it goes on', async () => {
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

describe('Issuer and audience, when configured', () => {
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
  ])('%j is answered with %i', async (claims, code) => {
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
    'of %s takes the tokens of its private key, and no secret made of itself',
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
