import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import {
  listNotifications,
  repairCounters,
  listTitles,
  getUnreadCount,
  createUser,
  sendNotification,
} from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const idOf = async (api: ApiClient, title: string) =>
  (await listNotifications(api)).list.find((item) => item.title === title)?.id;

describe('Notifications', () => {
  let test: TestApp;
  let admin: ApiClient;

  beforeAll(async () => {
    test = await createTestApp();
    admin = await testUser(test.api, { id: 1, role: 'admin' });
  });
  afterAll(() => test?.close());

  /** Returns a new user, who is created by the first request, with its client. */
  const newUser = async () => {
    const [id = 0] = newUserIds(1);
    return { id, api: await test.api.as({ id }) };
  };
  const existingUser = () => createUser(test.api);
  const send = (body: object) => sendNotification(admin, body);
  describe('GET /api/notifications', () => {
    it('answers the page shape of the original operation, newest first, 15 a page', async () => {
      const { id, api } = await existingUser();
      for (let index = 1; index <= 17; index += 1) await send({ user_ids: [id], title: `N${index}` });

      const first = await api.get('/api/notifications');
      expect(first.status).toBe(200);
      expect(first.headers['x-total-count']).toBe('17');
      expect(first.body).toEqual({
        code: 0,
        message: '操作成功',
        data: { list: expect.any(Array), total: 17, per_page: 15, current_page: 1, last_page: 2 },
      });
      expect(first.body.data.list).toHaveLength(15);
      expect(first.body.data.list[0]).toEqual({
        id: expect.any(Number),
        type: 'system',
        title: 'N17',
        content: 'Content',
        is_read: 0,
        archived: 0,
        snooze_until: null,
        created_at: '2026-01-31T08:00:00.000Z',
        data: null,
      });
      const second = await api.get('/api/notifications?page=2');
      expect(second.body.data.list.map(({ title }: { title: string }) => title)).toEqual(['N2', 'N1']);
      expect(second.body.data).toMatchObject({ total: 17, current_page: 2, last_page: 2 });
    });

    it('returns one empty page for an empty inbox', async () => {
      const { api } = await newUser();
      const response = await api.get('/api/notifications');
      expect(response.body.data).toEqual({ list: [], total: 0, per_page: 15, current_page: 1, last_page: 1 });
    });

    it('returns an empty list with correct totals beyond the end', async () => {
      const { id, api } = await existingUser();
      await send({ user_ids: [id] });
      const response = await api.get('/api/notifications?page=2147483647&per_page=100');
      expect(response.body.data).toEqual({
        list: [],
        total: 1,
        per_page: 100,
        current_page: 2_147_483_647,
        last_page: 1,
      });
    });

    it('filters by type, by is_read, and by both', async () => {
      const { id, api } = await existingUser();
      for (const [type, title] of [
        ['a', 'a1'],
        ['b', 'b1'],
        ['a', 'a2'],
        ['b', 'b2'],
      ]) {
        await send({ user_ids: [id], type, title });
      }
      await api.put(`/api/notifications/${await idOf(api, 'a1')}/read`);
      await api.put(`/api/notifications/${await idOf(api, 'b2')}/read`);

      expect(await listTitles(api, '&type=a')).toEqual(['a2', 'a1']);
      expect(await listTitles(api, '&is_read=0')).toEqual(['a2', 'b1']);
      expect(await listTitles(api, '&is_read=1')).toEqual(['b2', 'a1']);
      expect(await listTitles(api, '&type=a&is_read=1')).toEqual(['a1']);
      expect(await listTitles(api, '&type=a&is_read=0')).toEqual(['a2']);
      expect(await listTitles(api, '&type=none')).toEqual([]);
      expect(await listTitles(api, '&type=A')).toEqual([]);
      const filtered = await api.get('/api/notifications?is_read=1&per_page=1');
      expect(filtered.body.data).toMatchObject({ total: 2, last_page: 2, current_page: 1 });
    });

    it.each([
      ['page=0', 'page 不能小于 1'],
      ['page=x', 'page 必须是整数'],
      ['per_page=101', 'per_page 不能大于 100'],
      ['per_page=0', 'per_page 不能小于 1'],
      ['is_read=2', 'is_read 取值无效'],
      ['is_read=yes', 'is_read 必须是整数'],
      [`type=${'x'.repeat(51)}`, 'type 长度不能超过 50 个字符'],
      ['is_read=2&page=0', 'page 不能小于 1'],
    ])('rejects ?%s with 422', async (query, message) => {
      const { api } = await newUser();
      const response = await api.get(`/api/notifications?${query}`);
      expect(response.status).toBe(422);
      expect(response.body).toEqual({ code: 422, message, data: null });
    });

    it('treats an empty filter as omitted', async () => {
      const { id, api } = await existingUser();
      await send({ user_ids: [id], title: 'only' });
      expect(await listTitles(api, '&type=&is_read=')).toEqual(['only']);
    });

    it('keeps texts unchanged, including emoji and trailing spaces', async () => {
      const { id, api } = await existingUser();
      const [title, content] = ['👩‍👩‍👧 שלום ', '𠮷野家\n'.repeat(10)];
      await send({ user_ids: [id], title, content });
      expect((await api.get('/api/notifications')).body.data.list[0]).toMatchObject({ title, content });
    });
  });

  describe('GET /api/notifications/unread-count', () => {
    it('counts all and by type, only for types with unread ones', async () => {
      const { id, api } = await existingUser();
      expect(await getUnreadCount(api)).toEqual({ count: 0, by_type: {} });
      await send({ user_ids: [id], type: 'a', title: 'a1' });
      await send({ user_ids: [id], type: 'a', title: 'a2' });
      await send({ user_ids: [id], type: 'b', title: 'b1' });
      expect(await getUnreadCount(api)).toEqual({ count: 3, by_type: { a: 2, b: 1 } });
      await api.put(`/api/notifications/${await idOf(api, 'b1')}/read`);
      expect(await getUnreadCount(api)).toEqual({ count: 2, by_type: { a: 2 } });
    });

    it('accepts any type name', async () => {
      const { id, api } = await existingUser();
      for (const type of ['__proto__', 'constructor', 'toString', ' ', '类型'].filter((type) =>
        type.trim(),
      )) {
        await send({ user_ids: [id], type });
      }
      const { text } = await api.get('/api/notifications/unread-count');
      expect(text).toContain('"__proto__":1');
      expect(Object.keys(JSON.parse(text).data.by_type).toSorted()).toEqual(
        ['__proto__', 'constructor', 'toString', '类型'].toSorted(),
      );
      expect(await listTitles(api, '&type=__proto__')).toEqual(['Title']);
      const marked = await api.send('PUT', '/api/notifications/all/read', '{"type":"__proto__"}');
      expect(marked.body.data).toEqual({ affected: 1 });
    });

    it('distinguishes types by case and trailing spaces', async () => {
      const { id, api } = await existingUser();
      for (const type of ['a', 'A', 'a ', 'ä']) await send({ user_ids: [id], type });
      expect((await getUnreadCount(api)).by_type).toEqual({ a: 1, A: 1, 'a ': 1, ä: 1 });
    });
  });

  it('cause no counter drift', async () => {
    expect(await repairCounters(test)).toEqual([]);
  });
});
