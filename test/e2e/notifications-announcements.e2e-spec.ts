import type { ApiClient } from '../support/api-client';
import { clientWithKey, makeKey } from '../support/keys';
import { listNotifications, repairCounters, listTitles, getUnreadCount } from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const PATH = '/api/admin/announcements';
const NOT_FOUND = { code: 404, message: '公告不存在', data: null };

describe('Announcements', () => {
  let test: TestApp;
  let admin: ApiClient;
  const people = new Map<number, ApiClient>();
  beforeAll(async () => {
    test = await createTestApp();
    admin = await testUser(test.api, { id: 500, role: 'admin', name: 'Boss' });
    for (const id of [1, 2, 3, 4]) people.set(id, await testUser(test.api, { id }));
    // Creates the user of the API keys, so that the stored role is `user`.
    await testUser(test.api, { id: 900_001 });
    test.clock.advance(1);
  });
  afterAll(async () => {
    const drift = await repairCounters(test);
    await test?.close();
    expect(drift).toEqual([]);
  });

  const as = (id: number): ApiClient => people.get(id) as ApiClient;
  const post = (body: object, by = admin) =>
    by.post('/api/admin/notifications', { type: 'news', title: 'T', content: 'C', ...body });
  const send = async (body: object, by = admin) =>
    (await post(body, by)).body.data as { created: number; announcement_id: number };
  const get = async (id: number, by = admin) => (await by.get(`${PATH}/${id}`)).body.data;
  const makeAdmin = (id: number, role: string) =>
    test.query(`UPDATE users SET role = '${role}' WHERE id = ${id}`);

  it('are created for all users, a role, or several users', async () => {
    const all = await send({ broadcast: true });
    const role = await send({ role: 'user' });
    const some = await send({ user_ids: [1, 2] });
    expect([all.created, role.created, some.created]).toEqual([6, 5, 2]);
    for (const [{ announcement_id: id }, audience, recipients] of [
      [all, 'all', 6],
      [role, 'role:user', 5],
      [some, 'users', 2],
    ] as const)
      expect(await get(id)).toMatchObject({ id, audience, recipients, status: 'sent' });
    expect(await send({ user_ids: [1] })).toEqual({ created: 1, announcement_id: null });
    expect(await send({ user_ids: [1, 1] })).toEqual({ created: 1, announcement_id: null });
  });

  it('return their sender, recipients, content and time', async () => {
    const { announcement_id: id } = await send({ broadcast: true, title: 'Hello', data: { page: 'news' } });
    const now = test.clock.now().toISOString();
    expect(await get(id)).toEqual({
      id,
      type: 'news',
      title: 'Hello',
      content: 'C',
      data: { page: 'news' },
      sender: { type: 'user', id: 500, name: 'Boss' },
      audience: 'all',
      recipients: 6,
      status: 'sent',
      reach: { delivered: 0, read: 0, counted_at: null },
      created_at: now,
      recalled_at: null,
    });
    const { id: keyId, key } = await makeKey(test.api, ['notifications:send'], { name: 'CRM' });
    const byKey = test.api.withToken(key);
    const sent = await send({ user_ids: [1, 2] }, byKey);
    const shown = await get(sent.announcement_id, byKey);
    expect(shown.sender).toEqual({ type: 'key', id: keyId, name: 'CRM' });
    expect((await byKey.post(`${PATH}/${sent.announcement_id}/recall`)).body.data.status).toBe('recalled');
    const reading = await clientWithKey(test.api, ['users:write']);
    expect((await reading.get(PATH)).status).toBe(403);
  });

  it('are listed newest first in pages', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift((await send({ broadcast: true })).announcement_id);
    const first = (await admin.get(`${PATH}?limit=3`)).body.data;
    expect(first.items.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 3));
    const { announcement_id: late } = await send({ broadcast: true });
    const second = (await admin.get(`${PATH}?limit=2&cursor=${first.next_cursor}`)).body.data;
    expect(second.items.map(({ id }: { id: number }) => id)).toEqual(ids.slice(3));
    expect((await admin.get(PATH)).body.data.items[0]).toMatchObject({ id: late, status: 'sent' });
    let seen = 0;
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await admin.get(`${PATH}?limit=4&cursor=${cursor}`);
      seen += body.data.items.length;
      cursor = body.data.next_cursor as string | null;
    }
    expect(await test.query('SELECT COUNT(*) AS n FROM announcements')).toMatchObject([{ n: seen }]);
  });

  it.each([
    ['limit=0', 'limit 不能小于 1'],
    ['limit=201', 'limit 不能大于 200'],
    ['cursor=x', 'cursor 取值无效'],
  ])('reject ?%s with 422', async (query, message) => {
    expect((await admin.get(`${PATH}?${query}`)).body).toEqual({ code: 422, message, data: null });
  });

  it('return 404 when unknown', async () => {
    expect((await admin.get(`${PATH}/123456`)).body).toEqual(NOT_FOUND);
    expect((await admin.post(`${PATH}/123456/recall`)).body).toEqual(NOT_FOUND);
    const odd = await admin.get(`${PATH}/x`);
    expect(odd.body).toEqual({ code: 422, message: 'id 必须是整数', data: null });
  });

  it('for a role are delivered to users who have it when they read, and existed when it was sent', async () => {
    const { announcement_id: id } = await send({ role: 'admin', title: 'for administrators' });
    expect((await get(id)).recipients).toBe(1);
    test.clock.advance(1);
    const late = await testUser(test.api, { id: 600 });
    await makeAdmin(600, 'admin');
    await makeAdmin(1, 'admin');
    expect((await listTitles(as(1)))[0]).toBe('for administrators');
    expect(await listTitles(as(2))).not.toContain('for administrators');
    expect(await listTitles(late)).toEqual([]);
    // A user who read the inbox without the role does not get it later.
    await makeAdmin(2, 'admin');
    await makeAdmin(1, 'user');
    expect(await listTitles(as(2))).not.toContain('for administrators');
    expect(await listTitles(as(1))).toContain('for administrators');
    await makeAdmin(2, 'user');
    await makeAdmin(600, 'user');
  });

  it('for a role without users reach no user', async () => {
    await makeAdmin(500, 'user');
    expect(await send({ role: 'admin' })).toEqual({ created: 0, announcement_id: expect.any(Number) });
    await makeAdmin(500, 'admin');
  });

  it('add their id to the notification’s data, unless the data has one', async () => {
    const { announcement_id: broadcast } = await send({ broadcast: true });
    const { announcement_id: some } = await send({ user_ids: [3, 4] });
    await send({ broadcast: true, data: { page: 'news' } });
    await send({ user_ids: [3] });
    const { list } = await listNotifications(as(3));
    expect(list.slice(0, 4).map((item) => (item as unknown as { data: unknown }).data)).toEqual([
      null,
      { page: 'news' },
      { announcement_id: some },
      { announcement_id: broadcast },
    ]);
  });

  it('whose dedupe key has reached all users exist without recipients', async () => {
    expect((await send({ user_ids: [1, 2], dedupe_key: 'twice' })).created).toBe(2);
    const again = await send({ user_ids: [1, 2], dedupe_key: 'twice' });
    expect(again.created).toBe(0);
    expect(await get(again.announcement_id)).toMatchObject({ recipients: 0, audience: 'users' });
  });

  it('return the same response for a repeated Idempotency-Key', async () => {
    const byKey = admin.with({ 'idempotency-key': 'water-1' });
    const body = { role: 'user', title: 'once' };
    const first = await send(body, byKey);
    await testUser(test.api, { id: 700 });
    expect(await send(body, byKey)).toEqual(first);
    expect((await post({ ...body, role: 'admin' }, byKey)).body.code).toBe(409);
    const some = admin.with({ 'idempotency-key': 'water-2' });
    const sent = await send({ user_ids: [1, 2] }, some);
    expect(await send({ user_ids: [1, 2] }, some)).toEqual(sent);
    const before = await getUnreadCount(as(1));
    const one = admin.with({ 'idempotency-key': 'water-3' });
    for (let time = 0; time < 2; time += 1)
      expect(await send({ user_ids: [1] }, one)).toEqual({ created: 1, announcement_id: null });
    expect((await getUnreadCount(as(1))).count).toBe(before.count + 1);
  });

  it('write an audit row when sent and when recalled', async () => {
    await test.query('DELETE FROM audit_log');
    const { announcement_id: id } = await send({ role: 'user', title: 'noted' });
    await send({ user_ids: [1], title: 'to one' });
    for (let time = 0; time < 2; time += 1) await admin.post(`${PATH}/${id}/recall`);
    const rows = (await test.query(
      'SELECT action, object_type, object_id, fields_before, fields_after FROM audit_log ORDER BY id',
    )) as { fields_after: string }[];
    expect(rows).toMatchObject([
      { action: 'announcement.send', object_type: 'announcement', object_id: String(id) },
      { action: 'notification.send', object_type: 'notification', object_id: null },
      { action: 'announcement.recall', object_type: 'announcement', object_id: String(id) },
    ]);
    expect(JSON.parse(rows[0]?.fields_after ?? '')).toMatchObject({ audience: 'role:user', title: 'noted' });
    expect(JSON.parse(rows[2]?.fields_after ?? '')).toEqual({ status: 'recalled' });
  });
});
