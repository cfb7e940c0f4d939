import { DataSource } from 'typeorm';
import { NotificationsService } from '../../src/notifications/notifications.service';
import { Transactions } from '../../src/database/transactions';
import type { ApiClient } from '../support/api-client';
import { listOf, repairCounters, titlesOf, unreadOf } from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';

const idOf = async (api: ApiClient, title: string) =>
  (await listOf(api)).list.find((item) => item.title === title)?.id;

describe('Notifications', () => {
  let test: TestApp;
  let admin: ApiClient;
  let nextUser = 1000;

  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 1, role: 'admin' });
    await admin.get('/api/notifications');
  });
  afterAll(() => test?.close());

  /** A user that nobody has met yet, and its client; the user exists from its first request on. */
  const newcomer = async () => {
    nextUser += 1;
    return { id: nextUser, api: await test.api.as({ id: nextUser }) };
  };
  const existingUser = async () => {
    const user = await newcomer();
    await user.api.get('/api/nothing');
    return user;
  };
  const send = async (body: object) => {
    const answer = await admin.post('/api/admin/notifications', {
      type: 'system',
      title: 'Title',
      content: 'Content',
      ...body,
    });
    return answer.body.data?.created as number | undefined;
  };
  describe('GET /api/notifications', () => {
    it('answers the page shape of the specification, newest first, 15 a page', async () => {
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
        created_at: '2026-01-31T08:00:00.000Z',
      });
      const second = await api.get('/api/notifications?page=2');
      expect(second.body.data.list.map(({ title }: { title: string }) => title)).toEqual(['N2', 'N1']);
      expect(second.body.data).toMatchObject({ total: 17, current_page: 2, last_page: 2 });
    });

    it('answers an empty inbox with one empty page', async () => {
      const { api } = await newcomer();
      const answer = await api.get('/api/notifications');
      expect(answer.body.data).toEqual({ list: [], total: 0, per_page: 15, current_page: 1, last_page: 1 });
    });

    it('answers a page beyond the end with an empty list and the right totals', async () => {
      const { id, api } = await existingUser();
      await send({ user_ids: [id] });
      const answer = await api.get('/api/notifications?page=2147483647&per_page=100');
      expect(answer.body.data).toEqual({
        list: [],
        total: 1,
        per_page: 100,
        current_page: 2_147_483_647,
        last_page: 1,
      });
    });

    it('filters by type and by is_read, and by both', async () => {
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

      expect(await titlesOf(api, '&type=a')).toEqual(['a2', 'a1']);
      expect(await titlesOf(api, '&is_read=0')).toEqual(['a2', 'b1']);
      expect(await titlesOf(api, '&is_read=1')).toEqual(['b2', 'a1']);
      expect(await titlesOf(api, '&type=a&is_read=1')).toEqual(['a1']);
      expect(await titlesOf(api, '&type=a&is_read=0')).toEqual(['a2']);
      expect(await titlesOf(api, '&type=none')).toEqual([]);
      expect(await titlesOf(api, '&type=A')).toEqual([]);
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
    ])('refuses ?%s with 422', async (query, message) => {
      const { api } = await newcomer();
      const answer = await api.get(`/api/notifications?${query}`);
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual({ code: 422, message, data: null });
    });

    it('counts an empty filter as left out', async () => {
      const { id, api } = await existingUser();
      await send({ user_ids: [id], title: 'only' });
      expect(await titlesOf(api, '&type=&is_read=')).toEqual(['only']);
    });

    it('shows each user its own', async () => {
      const [one, other] = [await existingUser(), await existingUser()];
      await send({ user_ids: [one.id], title: 'private' });
      expect(await titlesOf(one.api)).toEqual(['private']);
      expect(await titlesOf(other.api)).toEqual([]);
    });

    it('keeps text as it was, to the last emoji and space', async () => {
      const { id, api } = await existingUser();
      const [title, content] = ['👩‍👩‍👧 שלום ', '𠮷野家\n'.repeat(10)];
      await send({ user_ids: [id], title, content });
      expect((await api.get('/api/notifications')).body.data.list[0]).toMatchObject({ title, content });
    });

    it.each([
      ['GET', '/api/notifications'],
      ['GET', '/api/notifications/unread-count'],
      ['PUT', '/api/notifications/1/read'],
      ['PUT', '/api/notifications/1/unread'],
      ['PUT', '/api/notifications/all/read'],
      ['DELETE', '/api/notifications/1'],
    ] as const)('refuses %s %s without a token', async (method, url) => {
      const answer = await test.api.send(method, url);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ code: 401, message: '未授权', data: null });
    });
  });

  describe('GET /api/notifications/unread-count', () => {
    it('counts all and by type, and names only types that have any', async () => {
      const { id, api } = await existingUser();
      expect(await unreadOf(api)).toEqual({ count: 0, by_type: {} });
      await send({ user_ids: [id], type: 'a', title: 'a1' });
      await send({ user_ids: [id], type: 'a', title: 'a2' });
      await send({ user_ids: [id], type: 'b', title: 'b1' });
      expect(await unreadOf(api)).toEqual({ count: 3, by_type: { a: 2, b: 1 } });
      await api.put(`/api/notifications/${await idOf(api, 'b1')}/read`);
      expect(await unreadOf(api)).toEqual({ count: 2, by_type: { a: 2 } });
    });

    it('is safe for any type name', async () => {
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
      expect(await titlesOf(api, '&type=__proto__')).toEqual(['Title']);
      const marked = await api.send('PUT', '/api/notifications/all/read', '{"type":"__proto__"}');
      expect(marked.body.data).toEqual({ affected: 1 });
    });

    it('tells types apart that differ in case or in a space at the end', async () => {
      const { id, api } = await existingUser();
      for (const type of ['a', 'A', 'a ', 'ä']) await send({ user_ids: [id], type });
      expect((await unreadOf(api)).by_type).toEqual({ a: 1, A: 1, 'a ': 1, ä: 1 });
    });
  });

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

  describe('POST /api/admin/notifications', () => {
    it('answers how many users got it; one that is named twice gets it once', async () => {
      const [one, other] = [await existingUser(), await existingUser()];
      const answer = await admin.post('/api/admin/notifications', {
        user_ids: [other.id, one.id, other.id],
        type: 'news',
        title: 'Hello',
        content: 'World',
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ code: 0, message: '操作成功', data: { created: 2 } });
      expect(await titlesOf(one.api)).toEqual(['Hello']);
      expect(await titlesOf(other.api)).toEqual(['Hello']);
    });

    it('reaches 500 users at once', async () => {
      const people = await Promise.all(Array.from({ length: 500 }, existingUser));
      expect(await send({ user_ids: people.map(({ id }) => id), title: 'all' })).toBe(500);
      for (const index of [0, 250, 499])
        expect(await titlesOf(people[index]?.api as ApiClient)).toEqual(['all']);
    });

    it('refuses unknown users and writes nothing', async () => {
      const { id, api } = await existingUser();
      const answer = await admin.post('/api/admin/notifications', {
        user_ids: [7, id, 9],
        type: 't',
        title: 't',
        content: 'c',
      });
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual({ code: 422, message: '用户不存在: 7, 9', data: null });
      expect(await titlesOf(api)).toEqual([]);
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
    ])('refuses %j with 422', async (body, message) => {
      const answer = await admin.post('/api/admin/notifications', body);
      expect(answer.body).toEqual({ code: 422, message, data: null });
      expect(answer.status).toBe(422);
    });

    it('takes the longest text that is allowed', async () => {
      const { id, api } = await existingUser();
      const longest = { type: '😀'.repeat(50), title: '😀'.repeat(100), content: '😀'.repeat(2000) };
      expect(await send({ user_ids: [id], ...longest, dedupe_key: '😀'.repeat(100) })).toBe(1);
      expect((await api.get('/api/notifications')).body.data.list[0]).toMatchObject(longest);
    });

    it('is for administrators', async () => {
      const { api } = await newcomer();
      const answer = await api.post('/api/admin/notifications', { ...text, broadcast: true });
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({ code: 403, message: '无权限', data: null });
      const nobody = await test.api.post('/api/admin/notifications', {});
      expect(nobody.body).toEqual({ code: 401, message: '未授权,请先登录', data: null });
    });
  });

  describe('Dedupe keys', () => {
    it('reach a user once and for all, whatever the content, also after deletion', async () => {
      const [one, other] = [await existingUser(), await existingUser()];
      expect(await send({ user_ids: [one.id], title: 'first', dedupe_key: 'k1' })).toBe(1);
      expect(await send({ user_ids: [one.id], title: 'again', type: 'x', dedupe_key: 'k1' })).toBe(0);
      await one.api.delete(`/api/notifications/${await idOf(one.api, 'first')}`);
      expect(await send({ user_ids: [one.id, other.id], title: 'later', dedupe_key: 'k1' })).toBe(1);
      expect(await titlesOf(one.api)).toEqual([]);
      expect(await titlesOf(other.api)).toEqual(['later']);
    });

    it('compare byte for byte', async () => {
      const { id, api } = await existingUser();
      for (const dedupe_key of ['key', 'KEY', 'key ', 'kéy']) {
        expect(await send({ user_ids: [id], dedupe_key, title: dedupe_key })).toBe(1);
      }
      expect(await titlesOf(api)).toEqual(['kéy', 'key ', 'KEY', 'key']);
    });

    it('count directly and by broadcast alike', async () => {
      const { id, api } = await existingUser();
      await send({ user_ids: [id], title: 'direct', dedupe_key: 'k2' });
      await send({ broadcast: true, title: 'broadcast', dedupe_key: 'k2' });
      await send({ broadcast: true, title: 'broadcast once more', dedupe_key: 'k2' });
      expect(await titlesOf(api)).toEqual(['direct']);

      await send({ broadcast: true, title: 'broadcast', dedupe_key: 'k3' });
      expect(await send({ user_ids: [id], title: 'direct', dedupe_key: 'k3' })).toBe(0);
      expect(await titlesOf(api)).toEqual(['broadcast', 'direct']);
      expect(await unreadOf(api)).toEqual({ count: 2, by_type: { system: 2 } });
    });

    it('of a broadcast sent twice reach those who came in between by the second', async () => {
      const early = await existingUser();
      await send({ broadcast: true, title: 'first', dedupe_key: 'k4' });
      const late = await existingUser();
      await send({ broadcast: true, title: 'second', dedupe_key: 'k4' });
      expect(await titlesOf(early.api)).toEqual(['first']);
      expect(await titlesOf(late.api)).toEqual(['second']);
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
      expect(await titlesOf(api)).toEqual([]);
      expect(await transactions.run((em) => notifications.notify(em, [id, id], message))).toBe(1);
      expect(await transactions.run((em) => notifications.notify(em, [], message))).toBe(0);
      expect(await titlesOf(api)).toEqual(['Missed call']);
    });
  });

  it('never lets a counter drift', async () => {
    expect(await repairCounters(test)).toEqual([]);
  });
});
