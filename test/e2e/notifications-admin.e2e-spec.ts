import { NotificationsService } from '../../src/notifications/services/notifications.service';
import { Transactions } from '../../src/database/transactions';
import type { ApiClient } from '../support/api-client';
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

  const existingUser = () => createUser(test.api);
  const send = (body: object) => sendNotification(admin, body);

  describe('POST /api/admin/notifications', () => {
    it('returns the number of recipients, counting duplicates once', async () => {
      const [one, other] = [await existingUser(), await existingUser()];
      const response = await admin.post('/api/admin/notifications', {
        user_ids: [other.id, one.id, other.id],
        type: 'news',
        title: 'Hello',
        content: 'World',
      });
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        code: 0,
        message: '操作成功',
        data: { created: 2, announcement_id: 1 },
      });
      expect(await listTitles(one.api)).toEqual(['Hello']);
      expect(await listTitles(other.api)).toEqual(['Hello']);
    });

    it('accepts 500 users', async () => {
      const people = await Promise.all(Array.from({ length: 500 }, existingUser));
      expect(await send({ user_ids: people.map(({ id }) => id), title: 'all' })).toBe(500);
      for (const index of [0, 250, 499])
        expect(await listTitles(people[index]?.api as ApiClient)).toEqual(['all']);
    });

    it('rejects unknown users without writing anything', async () => {
      const { id, api } = await existingUser();
      const response = await admin.post('/api/admin/notifications', {
        user_ids: [7, id, 9],
        type: 't',
        title: 't',
        content: 'c',
      });
      expect(response.status).toBe(422);
      expect(response.body).toEqual({ code: 422, message: '用户不存在: 7, 9', data: null });
      expect(await listTitles(api)).toEqual([]);
    });

    const text = { type: 't', title: 't', content: 'c' };
    it.each([
      [{}, 'user_ids 字段不能为空'],
      [{ ...text, user_ids: [] }, 'user_ids 字段不能为空'],
      [{ ...text, broadcast: false }, 'user_ids 字段不能为空'],
      [{ ...text, user_ids: null, broadcast: null }, 'user_ids 字段不能为空'],
      [{ ...text, user_ids: 5 }, 'user_ids 必须是数组'],
      [{ ...text, user_ids: ['x'] }, 'user_ids 取值无效'],
      [{ ...text, user_ids: [0] }, 'user_ids 取值无效'],
      [{ ...text, user_ids: Array.from({ length: 501 }, (_, i) => i + 1) }, 'user_ids 数量不能超过 500'],
      [{ ...text, broadcast: 'yes' }, 'broadcast 取值无效'],
      [{ ...text, user_ids: [1], broadcast: true }, 'broadcast 取值无效'],
      [{ ...text, role: 'root' }, 'role 取值无效'],
      [{ ...text, role: 7 }, 'role 取值无效'],
      [{ ...text, role: 'admin', broadcast: true }, 'role 取值无效'],
      [{ ...text, role: 'admin', user_ids: [1] }, 'role 取值无效'],
      [{ ...text, role: '' }, 'user_ids 字段不能为空'],
      [{ ...text, role: null }, 'user_ids 字段不能为空'],
      [{ broadcast: true, title: 't', content: 'c' }, 'type 字段不能为空'],
      [{ ...text, broadcast: true, type: ' ' }, 'type 字段不能为空'],
      [{ ...text, broadcast: true, type: '类'.repeat(51) }, 'type 长度不能超过 50 个字符'],
      [{ ...text, broadcast: true, title: '' }, 'title 字段不能为空'],
      [{ ...text, broadcast: true, title: 'x'.repeat(101) }, 'title 长度不能超过 100 个字符'],
      [{ ...text, broadcast: true, content: null }, 'content 字段不能为空'],
      [{ ...text, broadcast: true, content: 'x'.repeat(2001) }, 'content 长度不能超过 2000 个字符'],
      [{ ...text, broadcast: true, content: 7 }, 'content 必须是字符串'],
      [{ ...text, broadcast: true, dedupe_key: 'x'.repeat(101) }, 'dedupe_key 长度不能超过 100 个字符'],
      [{ ...text, broadcast: true, dedupe_key: 'a\0' }, 'dedupe_key 取值无效'],
    ])('rejects %j with 422', async (body, message) => {
      const response = await admin.post('/api/admin/notifications', body);
      expect(response.body).toEqual({ code: 422, message, data: null });
      expect(response.status).toBe(422);
    });

    it('accepts the longest text', async () => {
      const { id, api } = await existingUser();
      const longest = { type: '😀'.repeat(50), title: '😀'.repeat(100), content: '😀'.repeat(2000) };
      expect(await send({ user_ids: [id], ...longest, dedupe_key: '😀'.repeat(100) })).toBe(1);
      expect((await api.get('/api/notifications')).body.data.list[0]).toMatchObject(longest);
    });
  });

  describe('Dedupe keys', () => {
    it('deliver to a user once, for any content, also after deletion', async () => {
      const [one, other] = [await existingUser(), await existingUser()];
      expect(await send({ user_ids: [one.id], title: 'first', dedupe_key: 'k1' })).toBe(1);
      expect(await send({ user_ids: [one.id], title: 'again', type: 'x', dedupe_key: 'k1' })).toBe(0);
      await one.api.delete(`/api/notifications/${await idOf(one.api, 'first')}`);
      expect(await send({ user_ids: [one.id, other.id], title: 'later', dedupe_key: 'k1' })).toBe(1);
      expect(await listTitles(one.api)).toEqual([]);
      expect(await listTitles(other.api)).toEqual(['later']);
    });

    it('are compared byte for byte', async () => {
      const { id, api } = await existingUser();
      for (const dedupe_key of ['key', 'KEY', 'key ', 'kéy']) {
        expect(await send({ user_ids: [id], dedupe_key, title: dedupe_key })).toBe(1);
      }
      expect(await listTitles(api)).toEqual(['kéy', 'key ', 'KEY', 'key']);
    });

    it('apply to direct notifications and broadcasts together', async () => {
      const { id, api } = await existingUser();
      await send({ user_ids: [id], title: 'direct', dedupe_key: 'k2' });
      await send({ broadcast: true, title: 'broadcast', dedupe_key: 'k2' });
      await send({ broadcast: true, title: 'broadcast once more', dedupe_key: 'k2' });
      expect(await listTitles(api)).toEqual(['direct']);

      await send({ broadcast: true, title: 'broadcast', dedupe_key: 'k3' });
      expect(await send({ user_ids: [id], title: 'direct', dedupe_key: 'k3' })).toBe(0);
      expect(await listTitles(api)).toEqual(['broadcast', 'direct']);
      expect(await getUnreadCount(api)).toEqual({ count: 2, by_type: { system: 2 } });
    });

    it('of a repeated broadcast deliver it to users created between the two', async () => {
      const early = await existingUser();
      await send({ broadcast: true, title: 'first', dedupe_key: 'k4' });
      const late = await existingUser();
      await send({ broadcast: true, title: 'second', dedupe_key: 'k4' });
      expect(await listTitles(early.api)).toEqual(['first']);
      expect(await listTitles(late.api)).toEqual(['second']);
    });
  });

  describe('NotificationsService.notify', () => {
    it("is part of the caller's transaction", async () => {
      const { id, api } = await existingUser();
      const notifications = test.app.get(NotificationsService);
      const transactions = test.app.get(Transactions);
      const message = { type: 'call_missed', title: 'Missed call', content: 'Ann called' };
      const failing = transactions.run(async (em) => {
        await notifications.notify(em, [id], message);
        throw new Error('the call could not be ended');
      });
      await expect(failing).rejects.toThrow('the call could not be ended');
      expect(await listTitles(api)).toEqual([]);
      expect(await transactions.run((em) => notifications.notify(em, [id, id], message))).toBe(1);
      expect(await transactions.run((em) => notifications.notify(em, [], message))).toBe(0);
      expect(await listTitles(api)).toEqual(['Missed call']);
    });
  });

  it('causes no counter drift', async () => {
    expect(await repairCounters(test)).toEqual([]);
  });
});
