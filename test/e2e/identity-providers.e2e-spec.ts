import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { JwksServer, makeKey, type SigningKey } from '../support/jwks-server';
import { createTestApp, type TestApp } from '../support/test-app';
import { signToken } from '../support/tokens';

const UNAUTHORIZED = { code: 401, message: '未授权', data: null };

/* Claims in tokens of common providers, in the form of their documentation, with fictitious users. */

const KEYCLOAK = {
  iss: 'https://sso.example/realms/staff',
  sub: '0f1ca2a1-6b0e-4f43-9a1c-0b6d1c8f2d7e',
  typ: 'Bearer',
  azp: 'callboard',
  sid: 'b1b2c3d4-0000-4000-8000-000000000000',
  realm_access: { roles: ['offline_access', 'admin'] },
  name: 'Kei Cloak',
  preferred_username: 'kei',
};
const AUTH0 = {
  iss: 'https://tenant.eu.auth0.example/',
  sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
  aud: ['https://api.example', 'https://tenant.eu.auth0.example/userinfo'],
  scope: 'openid profile',
  'https://app.example/roles': ['user', 'admin'],
  name: 'Ann Auth',
  picture: 'https://pictures.example/ann.png',
};
const GOOGLE = {
  iss: 'https://accounts.google.example',
  sub: '110169484474386276334',
  azp: '1234987819200.apps.example',
  email: 'jo@example.com',
  email_verified: true,
  name: 'Jo Goog',
};
const ENTRA = {
  iss: 'https://login.entra.example/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0',
  sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
  oid: '00000000-0000-0000-66f3-3332eca7ea81',
  tid: '9122040d-6c67-4c5b-b112-36a304b66dad',
  roles: ['Callboard.Admin'],
  ver: '2.0',
  name: 'En Tra',
};

describe('Tokens of an identity provider', () => {
  let key: SigningKey;
  let jwks: JwksServer;
  beforeAll(async () => {
    key = await makeKey('RS256', 'provider');
    jwks = await JwksServer.start([key]);
  });
  afterAll(() => jwks?.stop());

  let test: TestApp;
  afterEach(() => test?.close());
  const start = async (env: NodeJS.ProcessEnv = {}): Promise<void> => {
    test = await createTestApp({ env: { JWT_JWKS_URL: jwks.url, ...env } });
  };
  const clientOf = async (claims: Record<string, unknown>) => test.api.withToken(await key.sign(claims));
  const me = async (claims: Record<string, unknown>) => (await clientOf(claims)).get('/api/auth/me');
  const usersInDatabase = () =>
    test.query('SELECT id, issuer, external_id, name, role FROM users ORDER BY id');

  it.each([
    ['Keycloak', KEYCLOAK, 'realm_access.roles', 'admin', null],
    ['Auth0', AUTH0, 'https://app.example/roles', 'admin', 'https://pictures.example/ann.png'],
    ['Entra', ENTRA, 'roles', 'Callboard.Admin', null],
  ])('create users for %s, and administrators by its roles', async (_, claims, claim, value, avatar) => {
    await start({ JWT_ROLE_CLAIM: claim, JWT_ADMIN_VALUES: value });
    const response = await me(claims);
    expect(response.body).toEqual({
      code: 0,
      message: '操作成功',
      data: {
        id: 1,
        account: null,
        name: claims.name,
        avatar,
        role: 'admin',
        created_at: '2026-01-31T08:00:00.000Z',
        discoverable: true,
        presence_visible: true,
        terminal_id: null,
      },
    });
    expect((await (await clientOf(claims)).get('/api/admin/users/1')).status).toBe(200);
    expect(await usersInDatabase()).toEqual([
      { id: 1, issuer: '', external_id: claims.sub, name: claims.name, role: 'admin' },
    ]);
    const another = { ...claims, sub: `${claims.sub}-2`, [claim]: ['user'], realm_access: undefined };
    expect((await me(another)).body.data).toMatchObject({ id: 2, role: 'user' });
    expect((await (await clientOf(another)).get('/api/admin/users/1')).status).toBe(403);
  });

  it('treat 21 digits of Google as text, and small numbers as local ids unless all are external', async () => {
    await start();
    expect((await me(GOOGLE)).body.data).toMatchObject({ id: 1, name: 'Jo Goog', role: 'user' });
    expect((await me({ sub: '7' })).body.data.id).toBe(7);
    await test.close();
    await start({ JWT_SUBJECT: 'external' });
    expect((await me({ sub: '7' })).body.data).toMatchObject({ id: 1, name: '用户1' });
    expect((await me(GOOGLE)).body.data.id).toBe(2);
    // A token of the service itself contains the local id.
    const own = await signToken({ sub: '1', role: 'admin' });
    expect((await test.api.withToken(own).get('/api/auth/me')).body.data).toMatchObject({
      id: 1,
      role: 'admin',
    });
  });

  it('compare external ids byte for byte', async () => {
    await start();
    const texts = [
      'anna',
      'Anna',
      'ANNA',
      'änna',
      'a\u0308nna',
      'anna ',
      ' anna',
      'anna\n',
      '0',
      '007',
      '𝒶nna',
    ];
    const ids: number[] = [];
    for (const sub of texts) ids.push((await me({ sub })).body.data.id);
    expect(ids).toEqual(texts.map((_, index) => index + 1));
    const again = await Promise.all(texts.map(async (sub) => (await me({ sub, jti: 'new' })).body.data.id));
    expect(again).toEqual(ids);
  });

  it('are rejected with a `sub` that is null', async () => {
    await start();
    expect((await me({ sub: null })).body).toEqual(UNAUTHORIZED);
    expect(await usersInDatabase()).toEqual([]);
  });

  it('authenticate users who can use all features', async () => {
    await start();
    const ann = await clientOf(AUTH0);
    const jo = await clientOf(GOOGLE);
    await ann.get('/api/auth/me');
    const { id } = (await jo.get('/api/auth/me')).body.data;
    const chat = await ann.post('/api/messages/conversations', { type: 'single', peer_id: id });
    expect(chat.body.data).toMatchObject({ type: 'single', name: 'Jo Goog' });
    expect((await jo.get('/api/messages/conversations')).body.data.items).toHaveLength(1);
  });

  it('are rejected immediately on this instance for a disabled user, for each token', async () => {
    await start();
    const admin = await test.api.as({ id: 900, role: 'admin' });
    expect((await me(GOOGLE)).body.data.id).toBe(1);
    await admin.put('/api/admin/users/1', { status: 0 });
    expect((await me(GOOGLE)).body).toEqual(UNAUTHORIZED);
    expect((await me({ ...GOOGLE, jti: 'another' })).body).toEqual(UNAUTHORIZED);
    await admin.put('/api/admin/users/1', { status: 1 });
    expect((await me(GOOGLE)).status).toBe(200);
  });

  it('create a new user with the lowest free id above the allocated ones', async () => {
    await start();
    for (const id of ['1', '3', '9007199254740991']) await me({ sub: id });
    expect((await me({ sub: 'a' })).body.data.id).toBe(2);
    expect((await me({ sub: 'b' })).body.data.id).toBe(4);
    const admin = await test.api.as({ id: 900, role: 'admin' });
    const body = { account: 'local', password: 'correct horse', name: 'Local' };
    expect((await admin.post('/api/admin/users', body)).body.data.id).toBe(5);
    expect((await me({ sub: 'c' })).body.data.id).toBe(6);
  });

  it('of a known user need no query for ten seconds, and then one', async () => {
    await start();
    const client = await clientOf(AUTH0);
    await client.get('/api/nothing');
    await test.query("UPDATE users SET status = 0 WHERE external_id LIKE 'auth0|%'");
    test.clock.advance(10);
    expect((await client.get('/api/nothing')).status).toBe(404);
    test.clock.advance(0.001);
    expect((await client.get('/api/nothing')).status).toBe(401);
  });

  describe('with a configured issuer', () => {
    const { iss } = AUTH0;
    beforeEach(() => start({ JWT_ISSUER: iss }));
    const insert = (id: number, issuer: string) =>
      test.query(
        `INSERT INTO users (id, issuer, external_id, name, role, status, created_at)
         VALUES (${id}, '${issuer}', '${AUTH0.sub}', 'Known', 'user', 1, '2026-01-01 00:00:00.000')`,
      );

    it('store new users under the issuer', async () => {
      await me(AUTH0);
      expect(await usersInDatabase()).toMatchObject([{ id: 1, issuer: iss, external_id: AUTH0.sub }]);
    });

    it('also match users stored without an issuer', async () => {
      await insert(50, '');
      expect((await me(AUTH0)).body.data).toMatchObject({ id: 50, name: 'Known' });
      expect(await usersInDatabase()).toHaveLength(1);
    });

    it('prefer the user with the issuer', async () => {
      await insert(50, '');
      await insert(60, iss);
      expect((await me(AUTH0)).body.data.id).toBe(60);
    });

    it('do not match users of another issuer', async () => {
      await insert(50, 'https://elsewhere.example/');
      expect((await me(AUTH0)).body.data).toMatchObject({ id: 1, name: 'Ann Auth' });
    });
  });

  it('of two providers are distinguished by their issuers', async () => {
    const second = generateKeyPairSync('ed25519');
    await start({ JWT_PUBLIC_KEY: second.publicKey.export({ type: 'spki', format: 'pem' }) as string });
    const idOf = async (token: string) =>
      (await test.api.withToken(token).get('/api/auth/me')).body.data.id as number;
    const byJwks = (iss?: string) => key.sign({ sub: 'same', iss });
    const byPem = (iss?: string) =>
      new SignJWT({ sub: 'same', iss, exp: 4_102_444_800 })
        .setProtectedHeader({ alg: 'EdDSA' })
        .sign(second.privateKey);
    expect(await idOf(await byJwks('https://a.example'))).toBe(1);
    expect(await idOf(await byPem('https://b.example'))).toBe(2);
    expect(await idOf(await byPem('https://a.example'))).toBe(1);
    expect(await idOf(await byJwks())).toBe(3);
    expect(await idOf(await byPem())).toBe(3);
  });
});
