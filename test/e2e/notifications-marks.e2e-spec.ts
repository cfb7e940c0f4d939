import { DataSource } from 'typeorm';
import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import {
  listOf,
  repairCounters,
  titlesOf,
  unreadOf,
  newUser,
  sendNotification,
} from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const idOf = async (api: ApiClient, title: string) =>
  (await listOf(api)).list.find((item) => item.title === title)?.id;

describe('Notifications', () => {
  let test: TestApp;
  let admin: ApiClient;

  beforeAll(async () => {
    test = await createTestApp();
    admin = await testUser(test.api, { id: 1, role: 'admin' });
  });
  afterAll(() => test?.close());

  /** A user that nobody has met yet, and its client; the user exists from its first request on. */
  const newcomer = async () => {
    const [id = 0] = newUserIds(1);
    return { id, api: await test.api.as({ id }) };
  };
  const existingUser = () => newUser(test.api);
  const send = (body: object) => sendNotification(admin, body);

  describe('PUT /api/notifications/{id}/read and /unread', () => {
    it('answers 标记成功 and null, and so again', async () => {
      const { id, api } = await existingUser();
      await send({ user_ids: [id], title: 'one' });
      const notification = await idOf(api, 'one');
      for (let time = 0; time < 2; time += 1) {
        const answer = await api.put(`/api/notifications/${notification}/read`);
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual({ code: 0, message: '标记成功', data: null });
        expect(await unreadOf(api)).toEqual({ count: 0, by_type: {} });
      }
    });

    it('makes one unread again, once, and answers it', async () => {
      const { id, api } = await existingUser();
      await send({ user_ids: [id], title: 'one' });
      const notification = await idOf(api, 'one');
      await api.put(`/api/notifications/${notification}/read`);
      for (let time = 0; time < 2; time += 1) {
        const answer = await api.put(`/api/notifications/${notification}/unread`);
        expect(answer.body).toEqual({
          code: 0,
          message: '操作成功',
          data: {
            id: notification,
            type: 'system',
            title: 'one',
            content: 'Content',
            is_read: 0,
            created_at: '2026-01-31T08:00:00.000Z',
            data: null,
          },
        });
        expect(await unreadOf(api)).toEqual({ count: 1, by_type: { system: 1 } });
      }
    });

    it.each([
      ['PUT', '/read'],
      ['PUT', '/unread'],
      ['DELETE', ''],
    ] as const)('%s …%s answers 404 to an unknown one and to one of another user', async (method, path) => {
      const [owner, other] = [await existingUser(), await existingUser()];
      await send({ user_ids: [owner.id], title: 'mine' });
      const notification = await idOf(owner.api, 'mine');
      for (const id of [notification, 9_007_199_254_740_991]) {
        const answer = await other.api.send(method, `/api/notifications/${id}${path}`);
        expect(answer.status).toBe(404);
        expect(answer.body).toEqual({ code: 404, message: '通知不存在', data: null });
      }
      expect(await unreadOf(owner.api)).toEqual({ count: 1, by_type: { system: 1 } });
    });

    it.each([
      ['PUT', 'x/read'],
      ['PUT', '0/read'],
      ['PUT', `${'9'.repeat(200)}/read`],
      ['PUT', '9007199254740992/unread'],
      ['DELETE', '-1'],
    ] as const)('refuses %s %s with 422', async (method, path) => {
      const { api } = await newcomer();
      const answer = await api.send(method, `/api/notifications/${path}`);
      expect(answer.body).toEqual({ code: 422, message: 'id 必须是整数', data: null });
    });
  });

  describe('PUT /api/notifications/all/read', () => {
    it('answers how many it changed, then 0', async () => {
      const { id, api } = await existingUser();
      for (const type of ['a', 'b', 'b']) await send({ user_ids: [id], type });
      const answer = await api.put('/api/notifications/all/read');
      expect(answer.body).toEqual({ code: 0, message: '操作成功', data: { affected: 3 } });
      expect((await api.put('/api/notifications/all/read')).body.data).toEqual({ affected: 0 });
      expect(await unreadOf(api)).toEqual({ count: 0, by_type: {} });
    });

    it('marks only one type when asked to', async () => {
      const { id, api } = await existingUser();
      for (const type of ['a', 'b', 'b']) await send({ user_ids: [id], type, title: type });
      expect((await api.put('/api/notifications/all/read', { type: 'b' })).body.data).toEqual({
        affected: 2,
      });
      expect((await api.put('/api/notifications/all/read', { type: 'c' })).body.data).toEqual({
        affected: 0,
      });
      expect(await unreadOf(api)).toEqual({ count: 1, by_type: { a: 1 } });
      expect(await titlesOf(api, '&is_read=1')).toEqual(['b', 'b']);
    });

    it('counts neither what was read before nor what is not the own', async () => {
      const [one, other] = [await existingUser(), await existingUser()];
      await send({ user_ids: [one.id, other.id], title: 'x' });
      await send({ user_ids: [one.id], title: 'y' });
      await one.api.put(`/api/notifications/${await idOf(one.api, 'x')}/read`);
      expect((await one.api.put('/api/notifications/all/read')).body.data).toEqual({ affected: 1 });
      expect(await unreadOf(other.api)).toEqual({ count: 1, by_type: { system: 1 } });
    });

    it('leaves what comes after it unread, and affects again what was marked unread', async () => {
      const { id, api } = await existingUser();
      await send({ user_ids: [id], title: 'before' });
      await api.put('/api/notifications/all/read');
      await send({ user_ids: [id], title: 'after' });
      expect(await titlesOf(api, '&is_read=0')).toEqual(['after']);
      await api.put(`/api/notifications/${await idOf(api, 'before')}/unread`);
      expect(await titlesOf(api, '&is_read=0')).toEqual(['after', 'before']);
      expect((await api.put('/api/notifications/all/read')).body.data).toEqual({ affected: 2 });
    });

    it.each([
      [{ type: 5 }, 'type 必须是字符串'],
      [{ type: 'x'.repeat(51) }, 'type 长度不能超过 50 个字符'],
      [[], '请求体 必须是对象'],
    ])('refuses %j with 422', async (body, message) => {
      const { api } = await newcomer();
      const answer = await api.put('/api/notifications/all/read', body);
      expect(answer.body).toEqual({ code: 422, message, data: null });
    });
  });

  describe('DELETE /api/notifications/{id}', () => {
    it('removes one for good, from list, totals and counts', async () => {
      const { id, api } = await existingUser();
      for (const title of ['one', 'two', 'three']) await send({ user_ids: [id], title });
      const two = await idOf(api, 'two');
      await api.put(`/api/notifications/${await idOf(api, 'three')}/read`);
      const answer = await api.delete(`/api/notifications/${two}`);
      expect(answer.body).toEqual({ code: 0, message: '操作成功', data: null });
      expect(await titlesOf(api)).toEqual(['three', 'one']);
      expect((await api.get('/api/notifications')).body.data.total).toBe(2);
      expect(await unreadOf(api)).toEqual({ count: 1, by_type: { system: 1 } });
      expect((await api.delete(`/api/notifications/${two}`)).body.code).toBe(404);
    });

    it('leaves an inbox that was emptied as good as new', async () => {
      const { id, api } = await existingUser();
      for (let round = 0; round < 3; round += 1) {
        await send({ user_ids: [id], title: 'x' });
        if (round === 1) await api.put('/api/notifications/all/read');
        await api.delete(`/api/notifications/${await idOf(api, 'x')}`);
        expect(await unreadOf(api)).toEqual({ count: 0, by_type: {} });
      }
      const nodes = await test.app
        .get(DataSource)
        .query('SELECT type FROM notification_counts WHERE user_id = ?', [id]);
      expect(nodes).toEqual([]);
    });
  });

  it('never lets a counter drift', async () => {
    expect(await repairCounters(test)).toEqual([]);
  });
});
