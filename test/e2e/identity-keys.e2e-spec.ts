import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { JwksServer, makeKey, type SigningKey } from '../support/jwks-server';
import { createTestApp, type TestApp } from '../support/test-app';
import { signToken } from '../support/tokens';

const UNAUTHORIZED = { code: 401, message: '未授权', data: null };
const UNAVAILABLE = { code: 503, message: '服务暂不可用', data: null };
const FAR_FUTURE = 4_102_444_800;

/** Returns the status codes of GET /api/auth/me with each token. */
const statuses = (test: TestApp, tokens: string[]): Promise<number[]> =>
  Promise.all(tokens.map(async (token) => (await test.api.withToken(token).get('/api/auth/me')).status));

describe('An identity provider with a key set', () => {
  let keys: Record<'RS256' | 'ES256' | 'EdDSA' | 'next', SigningKey>;
  beforeAll(async () => {
    keys = {
      RS256: await makeKey('RS256', 'rsa'),
      ES256: await makeKey('ES256', 'ec'),
      EdDSA: await makeKey('EdDSA', 'ed'),
      next: await makeKey('ES256', 'next'),
    };
  });

  let jwks: JwksServer;
  let test: TestApp;
  beforeEach(async () => {
    jwks = await JwksServer.start([keys.RS256, keys.ES256, keys.EdDSA]);
    test = await createTestApp({ env: { JWT_SECRET: '', JWT_JWKS_URL: jwks.url } });
  });
  afterEach(async () => {
    await test?.close();
    await jwks?.stop();
  });

  it('authenticates and creates the users of all its keys with one request', async () => {
    const tokens = await Promise.all(
      [keys.RS256, keys.ES256, keys.EdDSA].map((key, index) =>
        key.sign({ sub: String(index + 1), name: `User ${index + 1}`, picture: 'https://a.example/1.png' }),
      ),
    );
    expect(await statuses(test, tokens)).toEqual([200, 200, 200]);
    const third = await test.api.withToken(tokens[2] ?? '').get('/api/auth/me');
    expect(third.body.data).toEqual({
      id: 3,
      account: null,
      name: 'User 3',
      avatar: 'https://a.example/1.png',
      role: 'user',
      created_at: '2026-01-31T08:00:00.000Z',
      discoverable: true,
      presence_visible: true,
      terminal_id: null,
    });
    expect(jwks.requests).toBe(1);
  });

  it('may have sessions of its own: a foreign sid is ignored', async () => {
    expect(await statuses(test, [await keys.ES256.sign({ sub: '1', sid: 'theirs' })])).toEqual([200]);
  });

  it('can rotate its keys repeatedly, with immediate effect', async () => {
    expect(await statuses(test, [await keys.RS256.sign({ sub: '1' })])).toEqual([200]);
    jwks.publish([keys.next]);
    expect(await statuses(test, [await keys.next.sign({ sub: '1' })])).toEqual([200]);
    jwks.publish([keys.EdDSA]);
    expect(await statuses(test, [await keys.EdDSA.sign({ sub: '1' })])).toEqual([200]);
  });

  it('receives no request flood for tokens with unknown keys, which return 401', async () => {
    const strangers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => keys.next.sign({ sub: '1' }, { kid: `unknown-${index}` })),
    );
    expect(new Set(await statuses(test, strangers))).toEqual(new Set([401]));
    expect(jwks.requests).toBeLessThanOrEqual(2);
  });

  it('can withdraw a key within ten minutes', async () => {
    const token = await keys.RS256.sign({ sub: '1' });
    expect(await statuses(test, [token])).toEqual([200]);
    jwks.publish([keys.ES256]);
    test.clock.advance(600);
    expect(await statuses(test, [token])).toEqual([401]);
  });

  it('can be unavailable: known keys still work, and an unknown one returns 503', async () => {
    const known = await keys.RS256.sign({ sub: '1' });
    expect(await statuses(test, [known])).toEqual([200]);
    const { port } = jwks;
    await jwks.stop();
    test.clock.advance(700);
    const another = await keys.ES256.sign({ sub: '2' });
    expect(await statuses(test, [known, another])).toEqual([200, 200]);
    const unknown = await keys.next.sign({ sub: '3' });
    expect((await test.api.withToken(unknown).get('/api/auth/me')).body).toEqual(UNAVAILABLE);

    jwks = await JwksServer.start([keys.next], port);
    expect(await statuses(test, [unknown])).toEqual([200]);
  });

  it('can withdraw a key 30 seconds after a refresh has failed', async () => {
    const token = await keys.RS256.sign({ sub: '1' });
    expect(await statuses(test, [token])).toEqual([200]);
    jwks.failure = { status: 500, body: '' };
    test.clock.advance(600);
    expect(await statuses(test, [token])).toEqual([200]);
    jwks.failure = undefined;
    jwks.publish([keys.ES256]);
    test.clock.advance(30);
    expect(await statuses(test, [token])).toEqual([401]);
  });

  it.each([
    ['an error', { status: 500, body: '{}' }],
    ['no JSON', { status: 200, body: 'hello' }],
    ['no key set', { status: 200, body: '{"keys": 5}' }],
    ['nothing at all', 'no answer' as const],
  ])('that returns %s from the start causes a clear 503', async (_, trouble) => {
    jwks.failure = trouble;
    const token = await keys.RS256.sign({ sub: '1' });
    const response = await test.api.withToken(token).get('/api/auth/me');
    expect(response.body).toEqual(UNAVAILABLE);
    expect(response.status).toBe(503);
    jwks.failure = undefined;
    expect(await statuses(test, [token])).toEqual([200]);
  });

  it('that is unavailable causes no 503 for a token of another kind', async () => {
    jwks.failure = { status: 500, body: '' };
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`;
    for (const token of [await signToken({ sub: '1' }), none, 'a.b.c', 'x']) {
      expect((await test.api.withToken(token).get('/api/auth/me')).body).toEqual(UNAUTHORIZED);
    }
    expect(jwks.requests).toBe(0);
  });

  it('resists algorithm confusion attacks', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string;
    const jwk = rsa.publicKey.export({ format: 'jwk' });
    jwks.keys = [{ ...jwk, kid: 'rsa' }];
    const claims = { sub: '1', role: 'admin', exp: FAR_FUTURE };
    const good = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'rsa' })
      .sign(rsa.privateKey);
    const other = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'PS256', kid: 'rsa' })
      .sign(rsa.privateKey);
    const withPem = await signToken(claims, pem);
    const withModulus = await signToken(claims, jwk.n);
    const [head, body] = good.split('.');
    expect(await statuses(test, [good, other, withPem, withModulus, `${head}.${body}.`])).toEqual([
      200, 401, 401, 401, 401,
    ]);
  });

  it('has its tokens expire without leeway, also cached ones, and valid from nbf', async () => {
    const now = Date.parse('2026-01-31T08:00:00Z') / 1000;
    const soon = await keys.EdDSA.sign({ sub: '1', exp: now + 2 });
    const later = await keys.EdDSA.sign({ sub: '1', nbf: now + 2 });
    expect(await statuses(test, [soon, later])).toEqual([200, 401]);
    test.clock.advance(1.999);
    expect(await statuses(test, [soon, later])).toEqual([200, 401]);
    test.clock.advance(0.001);
    expect(await statuses(test, [soon, later])).toEqual([401, 200]);
  });
});

describe('Several sources of keys', () => {
  it('are accepted side by side, each with its own algorithms', async () => {
    const provider = await makeKey('ES256', 'provider');
    const jwks = await JwksServer.start([provider]);
    const local = generateKeyPairSync('ed25519');
    const test = await createTestApp({
      env: {
        JWT_JWKS_URL: jwks.url,
        JWT_PUBLIC_KEY: (local.publicKey.export({ type: 'spki', format: 'pem' }) as string).replaceAll(
          '\n',
          '\\n',
        ),
        JWT_ISSUER: 'https://id.example',
      },
    });
    const claims = { sub: '1', iss: 'https://id.example', exp: FAR_FUTURE };
    const byKey = (more: object) =>
      new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'EdDSA' }).sign(local.privateKey);
    const accepted = [await signToken(claims), await byKey({}), await provider.sign(claims)];
    expect(await statuses(test, accepted)).toEqual([200, 200, 200]);
    const wrong = { iss: 'https://evil.example' };
    const refused = [
      await signToken({ ...claims, ...wrong }),
      await byKey(wrong),
      await provider.sign(wrong),
    ];
    expect(await statuses(test, refused)).toEqual([401, 401, 401]);
    await test.close();
    await jwks.stop();
  });
});

describe('Cached tokens', () => {
  let test: TestApp;
  let second: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    second = await createTestApp({ database: test.database, clock: test.clock });
  });
  afterAll(async () => {
    await second?.close();
    await test?.close();
  });

  it('need no query for ten seconds', async () => {
    const user = await test.api.as({ id: 5 });
    const active = () => user.get('/api/nothing');
    expect((await active()).status).toBe(404);
    await test.query('UPDATE users SET status = 0 WHERE id = 5');
    test.clock.advance(10);
    expect((await active()).status).toBe(404);
    test.clock.advance(0.001);
    expect((await active()).status).toBe(401);
  });

  it('are invalidated within 30 s on other instances when a user is disabled', async () => {
    const boss = await test.api.as({ id: 1, role: 'admin' });
    const body = { account: 'roamer', password: 'correct horse', name: 'Roamer' };
    const { id } = (await boss.post('/api/admin/users', body)).body.data;
    const { access_token } = (await second.api.post('/api/auth/login', body)).body.data;
    expect(await statuses(second, [access_token])).toEqual([200]);
    await boss.put(`/api/admin/users/${id}`, { status: 0 });
    expect(await statuses(test, [access_token])).toEqual([401]);
    test.clock.advance(30);
    expect(await statuses(second, [access_token])).toEqual([401]);
  });

  it('are invalidated within 30 s on other instances when a password changes', async () => {
    const boss = await test.api.as({ id: 1, role: 'admin' });
    const body = { account: 'changer', password: 'correct horse', name: 'Changer' };
    await boss.post('/api/admin/users', body);
    const mine = (await test.api.post('/api/auth/login', body)).body.data.access_token;
    const stolen = (await test.api.post('/api/auth/login', body)).body.data.access_token;
    expect(await statuses(second, [mine, stolen])).toEqual([200, 200]);
    await test.api
      .withToken(mine)
      .put('/api/auth/password', { old_password: body.password, new_password: 'another horse' });
    test.clock.advance(30);
    expect(await statuses(second, [mine, stolen])).toEqual([200, 401]);
  });
});
