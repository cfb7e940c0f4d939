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

  describe('PUT /api/notifications/{id}/read and /unread', () => {
    it('return 标记成功 and null, also when repeated', async () => {
      const { id, api } = await existingUser();
      await send({ user_ids: [id], title: 'one' });
      const notification = await idOf(api, 'one');
      for (let time = 0; time < 2; time += 1) {
        const response = await api.put(`/api/notifications/${notification}/read`);
        expect(response.status).toBe(200);
        expect(response.body).toEqual({ code: 0, message: '标记成功', data: null });
        expect(await getUnreadCount(api)).toEqual({ count: 0, by_type: {} });
      }
    });

    it('mark a notification unread again, once, and return it', async () => {
      const { id, api } = await existingUser();
      await send({ user_ids: [id], title: 'one' });
      const notification = await idOf(api, 'one');
      await api.put(`/api/notifications/${notification}/read`);
      for (let time = 0; time < 2; time += 1) {
        const response = await api.put(`/api/notifications/${notification}/unread`);
        expect(response.body).toEqual({
          code: 0,
          message: '操作成功',
          data: {
            id: notification,
            type: 'system',
            title: 'one',
            content: 'Content',
            is_read: 0,
            archived: 0,
            snooze_until: null,
            created_at: '2026-01-31T08:00:00.000Z',
            data: null,
          },
        });
        expect(await getUnreadCount(api)).toEqual({ count: 1, by_type: { system: 1 } });
      }
    });

    it.each([
      ['PUT', '/read'],
      ['PUT', '/unread'],
      ['DELETE', ''],
    ] as const)(
      'return for %s …%s a 404 when it is unknown or belongs to another user',
      async (method, path) => {
        const [owner, other] = [await existingUser(), await existingUser()];
        await send({ user_ids: [owner.id], title: 'mine' });
        const notification = await idOf(owner.api, 'mine');
        for (const id of [notification, 9_007_199_254_740_991]) {
          const response = await other.api.send(method, `/api/notifications/${id}${path}`);
          expect(response.status).toBe(404);
          expect(response.body).toEqual({ code: 404, message: '通知不存在', data: null });
        }
        expect(await getUnreadCount(owner.api)).toEqual({ count: 1, by_type: { system: 1 } });
      },
    );

    it.each([
      ['PUT', 'x/read'],
      ['PUT', '9007199254740992/unread'],
      ['DELETE', '-1'],
    ] as const)('return 422 for %s %s', async (method, path) => {
      const { api } = await newUser();
      const response = await api.send(method, `/api/notifications/${path}`);
      expect(response.body).toEqual({ code: 422, message: 'id 必须是整数', data: null });
    });
  });

  describe('PUT /api/notifications/all/read', () => {
    it('returns the number of changed ones, then 0', async () => {
      const { id, api } = await existingUser();
      for (const type of ['a', 'b', 'b']) await send({ user_ids: [id], type });
      const response = await api.put('/api/notifications/all/read');
      expect(response.body).toEqual({ code: 0, message: '操作成功', data: { affected: 3 } });
      expect((await api.put('/api/notifications/all/read')).body.data).toEqual({ affected: 0 });
      expect(await getUnreadCount(api)).toEqual({ count: 0, by_type: {} });
    });

    it('marks only the given type', async () => {
      const { id, api } = await existingUser();
      for (const type of ['a', 'b', 'b']) await send({ user_ids: [id], type, title: type });
      expect((await api.put('/api/notifications/all/read', { type: 'b' })).body.data).toEqual({
        affected: 2,
      });
      expect((await api.put('/api/notifications/all/read', { type: 'c' })).body.data).toEqual({
        affected: 0,
      });
      expect(await getUnreadCount(api)).toEqual({ count: 1, by_type: { a: 1 } });
      expect(await listTitles(api, '&is_read=1')).toEqual(['b', 'b']);
    });

    it('does not count read notifications, or those of others', async () => {
      const [one, other] = [await existingUser(), await existingUser()];
      await send({ user_ids: [one.id, other.id], title: 'x' });
      await send({ user_ids: [one.id], title: 'y' });
      await one.api.put(`/api/notifications/${await idOf(one.api, 'x')}/read`);
      expect((await one.api.put('/api/notifications/all/read')).body.data).toEqual({ affected: 1 });
      expect(await getUnreadCount(other.api)).toEqual({ count: 1, by_type: { system: 1 } });
    });

    it('leaves later ones unread, and applies again to those marked unread', async () => {
      const { id, api } = await existingUser();
      await send({ user_ids: [id], title: 'before' });
      await api.put('/api/notifications/all/read');
      await send({ user_ids: [id], title: 'after' });
      expect(await listTitles(api, '&is_read=0')).toEqual(['after']);
      await api.put(`/api/notifications/${await idOf(api, 'before')}/unread`);
      expect(await listTitles(api, '&is_read=0')).toEqual(['after', 'before']);
      expect((await api.put('/api/notifications/all/read')).body.data).toEqual({ affected: 2 });
    });

    it.each([
      [{ type: 5 }, 'type 必须是字符串'],
      [{ type: 'x'.repeat(51) }, 'type 长度不能超过 50 个字符'],
      [[], '请求体 必须是对象'],
    ])('rejects %j with 422', async (body, message) => {
      const { api } = await newUser();
      const response = await api.put('/api/notifications/all/read', body);
      expect(response.body).toEqual({ code: 422, message, data: null });
    });
  });

  describe('DELETE /api/notifications/{id}', () => {
    it('deletes a notification from the list, totals and counts', async () => {
      const { id, api } = await existingUser();
      for (const title of ['one', 'two', 'three']) await send({ user_ids: [id], title });
      const two = await idOf(api, 'two');
      await api.put(`/api/notifications/${await idOf(api, 'three')}/read`);
      const response = await api.delete(`/api/notifications/${two}`);
      expect(response.body).toEqual({ code: 0, message: '操作成功', data: null });
      expect(await listTitles(api)).toEqual(['three', 'one']);
      expect((await api.get('/api/notifications')).body.data.total).toBe(2);
      expect(await getUnreadCount(api)).toEqual({ count: 1, by_type: { system: 1 } });
      expect((await api.delete(`/api/notifications/${two}`)).body.code).toBe(404);
    });

    it('leaves an emptied inbox like a new one', async () => {
      const { id, api } = await existingUser();
      for (let round = 0; round < 3; round += 1) {
        await send({ user_ids: [id], title: 'x' });
        if (round === 1) await api.put('/api/notifications/all/read');
        await api.delete(`/api/notifications/${await idOf(api, 'x')}`);
        expect(await getUnreadCount(api)).toEqual({ count: 0, by_type: {} });
      }
      for (const table of ['notification_types', 'notification_blocks'])
        expect(await test.query(`SELECT user_id FROM ${table} WHERE user_id = ${id}`)).toEqual([]);
    });
  });

  it('cause no counter drift', async () => {
    expect(await repairCounters(test)).toEqual([]);
  });
});
