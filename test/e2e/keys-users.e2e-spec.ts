import { createUser, login, refresh, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { clientWithKey } from '../support/keys';
import { createTestApp, type TestApp } from '../support/test-app';

const FORBIDDEN = { code: 403, message: '无权限', data: null };
const USER_NOT_FOUND = { code: 404, message: '用户不存在', data: null };

describe('Users managed with an API key', () => {
  let test: TestApp;
  let admin: ApiClient;
  let writer: ApiClient;
  let issuer: ApiClient;
  let ann: number;
  let root: number;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 900_001, role: 'admin' });
    writer = await clientWithKey(test.api, ['users:write']);
    issuer = await clientWithKey(test.api, ['tokens:issue']);
    ann = await createUser(admin, 'ann');
    root = await createUser(admin, 'root', { role: 'admin' });
  });
  afterAll(() => test?.close());

  const get = async (id: number) => (await admin.get(`/api/admin/users/${id}`)).body.data;

  it('are created without a password, so that they cannot log in', async () => {
    const created = await writer.post('/api/admin/users', { account: 'carol', name: 'Carol' });
    expect(created.body.data).toMatchObject({ account: 'carol', name: 'Carol', role: 'user', status: 1 });
    for (const password of ['', '12345678', 'null'])
      expect((await login(test.api, 'carol', password)).body.code).not.toBe(0);
    const withPassword = { account: 'dora', name: 'Dora', password: 'correct horse' };
    expect((await writer.post('/api/admin/users', withPassword)).body).toEqual(FORBIDDEN);
    expect((await writer.post('/api/admin/users', { account: 'carol', name: 'x' })).body.code).toBe(409);
    expect((await writer.post('/api/admin/users', { account: 'x' })).body.message).toBe('name 字段不能为空');
    expect((await admin.get('/api/admin/users?keyword=dora')).body.data.items).toEqual([]);
  });

  it('need a password when administrators create them, and the first failing field is returned', async () => {
    const messageOf = async (body: object) => (await admin.post('/api/admin/users', body)).body.message;
    expect(await messageOf({})).toBe('account 字段不能为空');
    expect(await messageOf({ account: 'eve' })).toBe('password 字段不能为空');
    expect(await messageOf({ account: 'eve', password: null, name: 'Eve' })).toBe('password 字段不能为空');
    expect(await messageOf({ account: 'eve', password: '', name: 'Eve' })).toBe('password 字段不能为空');
    expect(await messageOf({ account: 'eve', password: ' '.repeat(8) })).toBe('password 字段不能为空');
    expect(await messageOf({ account: 'eve', password: 'short' })).toBe('password 长度不能少于 8 个字符');
    expect(await messageOf({ account: 'eve', password: 5 })).toBe('password 必须是字符串');
  });

  it('are changed, but cannot be administrators, become administrators or get a password', async () => {
    expect((await writer.put(`/api/admin/users/${ann}`, { name: 'Anna', role: 'user' })).body.data.name).toBe(
      'Anna',
    );
    const administrators = [
      () => writer.put(`/api/admin/users/${root}`, { name: 'Nobody' }),
      () => writer.put(`/api/admin/users/${root}`, { status: 0 }),
      () => writer.put(`/api/admin/users/${root}`, { role: 'user' }),
      () => writer.put(`/api/admin/users/${root}`, {}),
      () => writer.put(`/api/admin/users/${ann}`, { role: 'admin' }),
      () => writer.put('/api/admin/users/bulk', { user_ids: [ann, root], status: 0 }),
      () => writer.put('/api/admin/users/bulk', { user_ids: [ann], role: 'admin' }),
      () => writer.post('/api/admin/users', { account: 'boss', name: 'Boss', role: 'admin' }),
      () => writer.put(`/api/admin/users/${ann}/password`, { password: 'correct horse' }),
    ];
    for (const ask of administrators) expect((await ask()).body).toEqual(FORBIDDEN);
    expect(await get(root)).toMatchObject({ name: 'root', role: 'admin', status: 1 });
    expect(await get(ann)).toMatchObject({ role: 'user', status: 1 });
    expect((await writer.put('/api/admin/users/77777', { role: 'admin' })).body).toEqual(USER_NOT_FOUND);
    const unknown = { user_ids: [root, 77_777], status: 0 };
    expect((await writer.put('/api/admin/users/bulk', unknown)).body.message).toBe('用户不存在: 77777');
    const one = await writer.put('/api/admin/users/bulk', { user_ids: [ann], status: 1 });
    expect(one.body.data).toEqual({ affected: 0 });
  });

  it('are changed before a concurrent promotion to administrator, or not at all', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = await createUser(admin, `rising-${round}`);
      const path = round % 2 ? '/api/admin/users/bulk' : `/api/admin/users/${id}`;
      const body = round % 2 ? { user_ids: [id], status: 0 } : { status: 0 };
      const [disabled] = await Promise.all([
        writer.put(path, body),
        admin.put(`/api/admin/users/${id}`, { role: 'admin' }),
      ]);
      expect([200, 403]).toContain(disabled.status);
      expect((await get(id)).status).toBe(disabled.status === 200 ? 0 : 1);
    }
  });

  it('receive tokens as from log-in, always with role user', async () => {
    const id = await createUser(admin, 'fay');
    const response = await issuer.with({ 'user-agent': 'crm/1.0' }).post(`/api/admin/users/${id}/tokens`);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body.data).toMatchObject({
      token_type: 'Bearer',
      expires_in: 7_200,
      user: { id, account: 'fay', role: 'user' },
      terminal_id: expect.stringMatching(/^s:[0-9a-f]{16}$/),
    });
    const fay = test.api.withToken(response.body.data.access_token);
    expect((await fay.get('/api/auth/me')).body.data).toMatchObject({ id, role: 'user' });
    const { items } = (await fay.get('/api/auth/sessions')).body.data;
    expect(items).toMatchObject([{ current: true, user_agent: 'crm/1.0' }]);

    // After the user became an administrator, only a log-in issues tokens with that role.
    await admin.put(`/api/admin/users/${id}`, { role: 'admin' });
    const next = (await refresh(test.api, response.body.data)).body.data;
    const later = test.api.withToken(next.access_token);
    expect((await later.get('/api/auth/me')).body.data.role).toBe('user');
    expect((await later.get('/api/admin/users')).body).toEqual(FORBIDDEN);
    const again = (await refresh(test.api, next)).body.data;
    const last = test.api.withToken(again.access_token);
    expect((await last.get('/api/admin/users')).body).toEqual(FORBIDDEN);
    const own = test.api.withToken((await signIn(test.api, 'fay')).access_token);
    expect((await own.get('/api/admin/users')).status).toBe(200);
  });

  it('receive no tokens when they are administrators, disabled or unknown', async () => {
    const off = await createUser(admin, 'gus');
    await admin.put(`/api/admin/users/${off}`, { status: 0 });
    for (const client of [issuer, admin]) {
      expect((await client.post(`/api/admin/users/${root}/tokens`)).body).toEqual(FORBIDDEN);
      expect((await client.post(`/api/admin/users/${off}/tokens`)).body).toEqual(USER_NOT_FOUND);
      expect((await client.post('/api/admin/users/77777/tokens')).body).toEqual(USER_NOT_FOUND);
      expect((await client.post('/api/admin/users/x/tokens')).body.message).toBe('id 必须是整数');
      expect((await client.post(`/api/admin/users/${ann}/tokens`)).status).toBe(200);
    }
  });

  it('have tokens that end when they are disabled', async () => {
    const id = await createUser(admin, 'hal');
    const { data } = (await issuer.post(`/api/admin/users/${id}/tokens`)).body;
    await writer.put(`/api/admin/users/${id}`, { status: 0 });
    expect((await test.api.withToken(data.access_token).get('/api/auth/me')).status).toBe(401);
    expect((await refresh(test.api, data)).status).toBe(401);
  });

  it('receive no tokens without JWT_SECRET', async () => {
    const { publicKey } = await import('node:crypto').then(({ generateKeyPairSync }) =>
      generateKeyPairSync('ed25519', {
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      }),
    );
    const other = await createTestApp({
      env: { JWT_SECRET: '', JWT_PUBLIC_KEY: publicKey, NODE_ENV: 'production', MEDIA_PROVIDER: 'webrtc' },
      database: test.database,
      clock: test.clock,
    });
    const client = other.api.with(issuer.headers);
    expect((await client.post(`/api/admin/users/${ann}/tokens`)).body.code).toBe(503);
    await other.close();
  });
});
