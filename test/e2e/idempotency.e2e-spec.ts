import { IdempotencyRetention } from '../../src/database/idempotency/idempotency-retention';
import { login, PASSWORD } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { CREATING_ROUTES, postWithKey } from '../support/idempotency';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const REUSED = { code: 409, message: '请求标识已被使用', data: null };
const GROUPS = '/api/admin/device-groups';
const DEVICES = '/api/admin/devices';
const USERS = '/api/admin/users';
const CONVERSATIONS = '/api/messages/conversations';

/** Returns the fields that identify a created object. */
const identityOf = ({ id, created }: { id?: number; created?: number }): object =>
  id === undefined ? { created } : { id };

describe('A request with an Idempotency-Key', () => {
  let test: TestApp;
  let admin: ApiClient;
  let other: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await testUser(test.api, { id: 1, role: 'admin' });
    other = await testUser(test.api, { id: 2, role: 'admin' });
  });
  afterAll(() => test?.close());

  const countRows = async (sql: string): Promise<number> =>
    Number(((await test.query(sql)) as { n: number | string }[])[0]?.n);

  describe.each(Object.entries(CREATING_ROUTES))('for a %s', (what, { path, body, count }) => {
    const name = what.replaceAll(' ', '-');

    it('creates it once, and returns the same response again', async () => {
      const first = await postWithKey(admin, `${name}-1`, path, body(name));
      expect(first.body).toEqual({ code: 0, message: '操作成功', data: expect.any(Object) });
      const again = await postWithKey(admin, `${name}-1`, path, body(name));
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect(await countRows(count(name))).toBe(1);
    });

    it('compares bodies by their parsed content', async () => {
      const mixed = Object.fromEntries(Object.entries(body(name)).toReversed());
      expect((await postWithKey(admin, `${name}-1`, path, { ...mixed, unknown: 7 })).status).toBe(200);
      const another = await postWithKey(admin, `${name}-1`, path, body(`${name}-other`));
      expect([another.status, another.body]).toEqual([409, REUSED]);
      expect(await countRows(count(name))).toBe(1);
      expect(await countRows(count(`${name}-other`))).toBe(0);
    });

    it('creates another with another key, by another caller, and without a key', async () => {
      const made = [
        await postWithKey(admin, `${name}-2`, path, body(`${name}-2`)),
        await postWithKey(other, `${name}-1`, path, body(`${name}-3`)),
        await admin.post(path, body(`${name}-4`)),
      ];
      expect(made.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await countRows(count(`${name}-3`))).toBe(1);
    });
  });

  it('returns 422 for an invalid key on every route', async () => {
    const rejection = { code: 422, message: 'Idempotency-Key 取值无效', data: null };
    for (const { path, body } of Object.values(CREATING_ROUTES))
      expect((await postWithKey(admin, '', path, body('never'))).body).toEqual(rejection);
    const chat = (await admin.post(CONVERSATIONS, { type: 'single', peer_id: 2 })).body.data.id;
    const message = { type: 'text', content: 'never' };
    expect((await postWithKey(admin, '', `${CONVERSATIONS}/${chat}/messages`, message)).body).toEqual(
      rejection,
    );
    expect((await postWithKey(admin, '', '/api/calls', { callee_id: 2 })).body).toEqual(rejection);
  });

  it('accepts 64 printable characters, including spaces, compared byte for byte', async () => {
    const key = `~ "${'k'.repeat(61)}`;
    const [{ data: one }, { data: two }] = [
      (await postWithKey(admin, key, DEVICES, { name: 'Bell' })).body,
      (await postWithKey(admin, key.toUpperCase(), DEVICES, { name: 'Bell' })).body,
    ];
    expect(two.id).not.toBe(one.id);
    expect((await postWithKey(admin, key, DEVICES, { name: 'Bell' })).body.data.id).toBe(one.id);
  });

  it('is separate for each operation', async () => {
    const body = { name: 'Lobby' };
    const device = (await postWithKey(admin, 'shared', DEVICES, body)).body.data;
    const group = (await postWithKey(admin, 'shared', GROUPS, body)).body.data;
    expect((await postWithKey(admin, 'shared', DEVICES, body)).body.data).toEqual(device);
    expect((await postWithKey(admin, 'shared', GROUPS, body)).body.data).toEqual(group);
  });

  it('treats explicit defaults as omitted', async () => {
    const group = (await postWithKey(admin, 'defaults', GROUPS, { name: 'Wing' })).body.data;
    const written = { name: 'Wing', parent_id: null, sort_order: 0 };
    expect((await postWithKey(admin, 'defaults', GROUPS, { ...written, sort_order: 1 })).body).toEqual(
      REUSED,
    );
    expect((await postWithKey(admin, 'defaults', GROUPS, written)).body.data).toEqual(group);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [USERS, { account: 'plain', password: PASSWORD, name: 'Plain' }, { avatar: null, role: 'user' }],
    [GROUPS, { name: 'Plain' }, { parent_id: null, sort_order: 0, device_ids: [] }],
    [DEVICES, { name: 'Plain' }, { serial_no: null, status: 1, group_ids: [] }],
    [CONVERSATIONS, { type: 'group', name: 'Plain' }, { avatar: null, member_ids: [] }],
    [
      '/api/admin/notifications',
      { user_ids: [2], type: 't', title: 'Plain', content: 'c' },
      { broadcast: false, data: null },
    ],
    ['/api/admin/keys', { name: 'Plain', scopes: ['users:read'] }, { expires_at: null }],
  ])('treats filled-in values as given: %s', async (path, body, written) => {
    const first = (await postWithKey(admin, 'plain', path, body)).body;
    expect(first.code).toBe(0);
    const again = (await postWithKey(admin, 'plain', path, { ...body, ...written })).body;
    expect(again.data).toMatchObject(identityOf(first.data));
  });

  it('returns the current state of the object', async () => {
    const made = { account: 'now', password: PASSWORD, name: 'Before' };
    const { id } = (await postWithKey(admin, 'now', USERS, made)).body.data;
    await admin.put(`${USERS}/${id}`, { name: 'After', account: 'later' });
    expect((await postWithKey(admin, 'now', USERS, made)).body.data).toMatchObject({
      id,
      name: 'After',
      account: 'later',
    });
    const group = { type: 'group', name: 'Crew' };
    const { id: conversation } = (await postWithKey(admin, 'now', CONVERSATIONS, group)).body.data;
    await admin.post(`${CONVERSATIONS}/${conversation}/messages`, { type: 'text', content: 'hello' });
    expect((await postWithKey(admin, 'now', CONVERSATIONS, group)).body.data).toMatchObject({
      id: conversation,
      last_message: 'hello',
    });
  });

  it('returns 404 when the created object was deleted', async () => {
    const device = (await postWithKey(admin, 'gone', DEVICES, { name: 'Gate' })).body.data.id;
    const group = (await postWithKey(admin, 'gone', GROUPS, { name: 'Gate' })).body.data.id;
    const crew = { type: 'group', name: 'Gone' };
    const conversation = (await postWithKey(admin, 'gone', CONVERSATIONS, crew)).body.data.id;
    await admin.delete(`${DEVICES}/${device}`);
    await admin.delete(`${GROUPS}/${group}`);
    await admin.delete(`${CONVERSATIONS}/${conversation}`);
    const responses = [
      await postWithKey(admin, 'gone', DEVICES, { name: 'Gate' }),
      await postWithKey(admin, 'gone', GROUPS, { name: 'Gate' }),
      await postWithKey(admin, 'gone', CONVERSATIONS, crew),
    ];
    expect(responses.map(({ body }) => body)).toEqual([
      { code: 404, message: '设备不存在', data: null },
      { code: 404, message: '分组不存在', data: null },
      { code: 403, message: '无权访问此会话', data: null },
    ]);
    expect((await postWithKey(admin, 'gone', DEVICES, { name: 'Gate 2' })).body).toEqual(REUSED);
  });

  it('can reuse its key after a rejected request', async () => {
    await admin.post(DEVICES, { name: 'First', serial_no: 'S-1' });
    const taken = await postWithKey(admin, 'refused', DEVICES, { name: 'Second', serial_no: 'S-1' });
    expect(taken.body.message).toBe('序列号已存在');
    expect((await postWithKey(admin, 'refused', DEVICES, { name: 'Second', serial_no: 'S-2' })).status).toBe(
      200,
    );
    const unknown = await postWithKey(admin, 'refused', CONVERSATIONS, {
      type: 'group',
      name: 'X',
      member_ids: [777],
    });
    expect(unknown.body.message).toBe('用户不存在: 777');
    expect((await postWithKey(admin, 'refused', CONVERSATIONS, { type: 'group', name: 'X' })).status).toBe(
      200,
    );
    const unknownRecipient = { user_ids: [777], type: 't', title: 'x', content: 'x' };
    expect((await postWithKey(admin, 'refused', '/api/admin/notifications', unknownRecipient)).status).toBe(
      422,
    );
    expect(
      await countRows(
        "SELECT COUNT(*) AS n FROM creation_keys WHERE route LIKE '%notifications' AND idempotency_key = 'refused'",
      ),
    ).toBe(0);
  });

  it('returns the created object even if the request would be rejected now', async () => {
    const ann = await testUser(test.api, { id: 31 });
    const ben = await testUser(test.api, { id: 32 });
    const group = { type: 'group', name: 'Pair', member_ids: [32] };
    const { id } = (await postWithKey(ann, 'pair', CONVERSATIONS, group)).body.data;
    await ben.put('/api/users/31/block');
    expect((await ann.post(CONVERSATIONS, group)).body.message).toBe('用户不存在: 32');
    expect((await postWithKey(ann, 'pair', CONVERSATIONS, group)).body.data.id).toBe(id);
  });

  it('returns a single chat without unhiding it for a user who has hidden it since', async () => {
    const ann = await testUser(test.api, { id: 41 });
    await testUser(test.api, { id: 42 });
    const chat = { type: 'single', peer_id: 42 };
    const { id } = (await postWithKey(ann, 'chat', CONVERSATIONS, chat)).body.data;
    await ann.put(`${CONVERSATIONS}/${id}/settings`, { hidden: true });
    expect((await postWithKey(ann, 'chat', CONVERSATIONS, chat)).body.data).toMatchObject({
      id,
      hidden: true,
    });
    expect((await postWithKey(ann, 'chat', CONVERSATIONS, { type: 'single', peer_id: 1 })).body).toEqual(
      REUSED,
    );
    expect((await ann.post(CONVERSATIONS, chat)).body.data).toMatchObject({ id, hidden: false });
  });

  it('treats another password as another body, and stores nothing that allows fast guessing', async () => {
    const user = { account: 'secretive', password: PASSWORD, name: 'Secretive' };
    expect((await postWithKey(admin, 'secret', USERS, user)).status).toBe(200);
    expect((await postWithKey(admin, 'secret', USERS, { ...user, password: 'another horse' })).body).toEqual(
      REUSED,
    );
    expect((await postWithKey(admin, 'secret', USERS, user)).status).toBe(200);
    expect((await login(test.api, 'secretive')).status).toBe(200);
    const hashes = (await test.query(
      "SELECT body_hash FROM creation_keys WHERE route = 'POST /api/admin/users'",
    )) as {
      body_hash: string;
    }[];
    // SHA-256 of {"account":"secretive","name":"Secretive","password":"correct horse","role":"user"}
    expect(hashes.map(({ body_hash }) => body_hash)).not.toContain(
      '36ALj4CLxnmr1RhMM4uxJ4OvvSPSFrxwU0PGsy8BPKo',
    );
    expect(hashes.length).toBeGreaterThan(1);
  });

  it('is remembered for seven days', async () => {
    const device = (await postWithKey(admin, 'old', DEVICES, { name: 'Old' })).body.data.id;
    const retention = test.app.get(IdempotencyRetention, { strict: false });
    const again = async () => (await postWithKey(admin, 'old', DEVICES, { name: 'Old' })).body.data.id;
    test.clock.set('2026-02-07T08:00:00.000Z');
    await retention.trim();
    expect(await again()).toBe(device);
    test.clock.set('2026-02-07T08:00:00.001Z');
    await retention.trim();
    expect(await again()).not.toBe(device);
    test.clock.set(START);
  });

  it('expires in batches, on two instances concurrently', async () => {
    // 1,100 keys, five of which have the same time.
    const rows = Array.from({ length: 1_100 }, (_, index) => {
      const second = String(Math.floor(index / 5) % 60).padStart(2, '0');
      const minute = String(Math.floor(index / 300)).padStart(2, '0');
      return `('user:1', 'batch-${index}', 'POST /api/admin/devices', 'x', 1, '2026-01-01 00:${minute}:${second}.000')`;
    });
    await test.query(
      `INSERT INTO creation_keys (owner, idempotency_key, route, body_hash, object_id, created_at) VALUES ${rows.join()}`,
    );
    test.clock.set('2026-01-20T00:00:00.000Z');
    await postWithKey(admin, 'fresh', DEVICES, { name: 'Fresh' });
    const second = await createTestApp({ database: test.database, clock: test.clock });
    await Promise.all(
      [test, second].map(({ app }) => app.get(IdempotencyRetention, { strict: false }).trim()),
    );
    await second.close();
    expect(
      await countRows("SELECT COUNT(*) AS n FROM creation_keys WHERE idempotency_key LIKE 'batch-%'"),
    ).toBe(0);
    expect(await countRows('SELECT COUNT(*) AS n FROM creation_keys')).toBeGreaterThan(0);
    test.clock.set(START);
  });
});
