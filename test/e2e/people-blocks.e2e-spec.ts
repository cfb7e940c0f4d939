import { DataSource } from 'typeorm';
import type { ApiClient } from '../support/api-client';
import { createCall, newUserIds } from '../support/calls';
import { ChatUser, dataOf, errorOf } from '../support/messaging';
import { block, unblock } from '../support/people';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

const NOT_ALLOWED = [403, '无权操作'];
const NO_SUCH_USER = [404, '用户不存在'];

describe('Blocks', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  beforeAll(async () => {
    test = await createTestApp();
  });
  beforeEach(async () => {
    test.clock.set(START);
    [ann, ben, cat] = (await ChatUser.signInAll(test.api, newUserIds(3))) as [ChatUser, ChatUser, ChatUser];
  });
  afterAll(() => test?.close());

  const eventsOf = async ({ api }: { api: ApiClient }): Promise<object[]> =>
    dataOf(await api.get('/api/events/poll?limit=500')).items.map(
      ({ id: _id, created_at: _at, ...event }: Record<string, unknown>) => event,
    );

  describe('of the user', () => {
    const list = async (query = '') => dataOf(await ann.api.get(`/api/users/blocks${query}`));

    it('are created once, and removed', async () => {
      for (const response of [await block(ann.api, ben.id), await block(ann.api, ben.id)])
        expect(response.body).toEqual({ code: 0, message: '操作成功', data: null });
      expect((await list()).pagination.total).toBe(1);
      for (const response of [await unblock(ann.api, ben.id), await unblock(ann.api, ben.id)])
        expect(response.body).toEqual({ code: 0, message: '操作成功', data: null });
      expect((await list()).items).toEqual([]);
    });

    it('are listed newest first in pages', async () => {
      await block(ann.api, ben.id);
      test.clock.advance(1);
      await block(ann.api, cat.id);
      // Blocking again changes nothing, not even the time.
      test.clock.advance(1);
      await block(ann.api, ben.id);
      const [second, first] = [
        { id: cat.id, name: `User ${cat.id}`, avatar: null, blocked_at: '2026-01-31T08:00:01.000Z' },
        { id: ben.id, name: `User ${ben.id}`, avatar: null, blocked_at: START },
      ];
      expect(await list()).toEqual({
        items: [second, first],
        pagination: { total: 2, per_page: 20, current_page: 1, last_page: 1, has_more: false },
      });
      expect((await list('?per_page=1&page=2')).items).toEqual([first]);
      expect((await ann.api.get('/api/users/blocks')).headers['x-total-count']).toBe('2');
    });

    it('are published to their user on all terminals, and not when repeated', async () => {
      await block(ann.api, ben.id);
      await block(ann.api, ben.id);
      await unblock(ann.api, ben.id);
      await unblock(ann.api, ben.id);
      const type = 'user.block_changed';
      expect(await eventsOf(ann)).toEqual([
        { type, user_id: ben.id, blocked: true },
        { type, user_id: ben.id, blocked: false },
      ]);
      expect(await eventsOf(ben)).toEqual([]);
    });

    it('reject the user and unknown users, and accept a disabled user', async () => {
      expect(errorOf(await block(ann.api, ann.id))).toEqual([422, 'id 取值无效']);
      expect(errorOf(await unblock(ann.api, ann.id))).toEqual([422, 'id 取值无效']);
      expect(errorOf(await block(ann.api, 123_456_789))).toEqual(NO_SUCH_USER);
      expect(errorOf(await unblock(ann.api, 123_456_789))).toEqual(NO_SUCH_USER);
      await test.query(`UPDATE users SET status = 0 WHERE id = ${ben.id}`);
      expect((await block(ann.api, ben.id)).body.code).toBe(0);
    });

    it('are limited to 1,000', async () => {
      const first = 5_000_000;
      const ids = Array.from({ length: 1_001 }, (_, index) => first + index);
      for (let start = 0; start < ids.length; start += 500)
        await insertUsers(test.app.get(DataSource), ids.slice(start, start + 500));
      const rows = ids.slice(0, 999).map((id) => `(${ann.id}, ${id}, '2026-01-31 08:00:00.000')`);
      await test.query(`INSERT INTO user_blocks (user_id, blocked_id, blocked_at) VALUES ${rows.join(', ')}`);
      expect((await block(ann.api, first + 999)).body.code).toBe(0);
      expect(errorOf(await block(ann.api, first + 1_000))).toEqual([422, 'id 数量不能超过 1000']);
      // Blocking a blocked user succeeds at the limit, and unblocking makes room for another one.
      expect((await block(ann.api, first)).body.code).toBe(0);
      await unblock(ann.api, first);
      expect((await block(ann.api, first + 1_000)).body.code).toBe(0);
    });
  });

  describe.each([
    ['made by the one', () => block(ann.api, ben.id)],
    ['made by the other', () => block(ben.api, ann.id)],
  ])('between two users, %s,', (_, make) => {
    it('reject messages and edits of both with the same error, but not reads and recalls', async () => {
      const chat = await ann.openSingle(ben.id);
      const { id } = await ann.send(chat, 'before');
      await make();
      const body = { type: 'text', content: 'after' };
      const [one, other] = [await ann.trySend(chat, body), await ben.trySend(chat, body)];
      expect(errorOf(one)).toEqual(NOT_ALLOWED);
      expect(other.text).toBe(one.text);
      for (const content of ['before', 'mended'])
        expect(errorOf(await ann.api.put(`/api/messages/${id}`, { content }))).toEqual(NOT_ALLOWED);
      expect((await ben.history(chat)).items.map(({ content }) => content)).toEqual(['before']);
      expect((await ann.recall(id)).is_recalled).toBe(true);
      expect((await ben.conversation(chat)).unread_count).toBe(0);
    });

    it('reject what does not exist as not found: existence is checked before the right', async () => {
      const chat = await ann.openSingle(ben.id);
      const { id } = await ben.send(chat, 'recalled');
      await ben.recall(id);
      await make();
      const text = { type: 'text', content: 'x' };
      expect(errorOf(await ann.trySend(chat, { ...text, reply_to_id: 999_999 }))).toEqual([
        404,
        '消息不存在',
      ]);
      expect(errorOf(await ann.trySend(chat, { forward_id: 999_999 }))).toEqual([404, '消息不存在']);
      const picture = { type: 'image', attachment_id: 999_999 };
      expect(errorOf(await ann.trySend(chat, picture))).toEqual([404, '附件不存在']);
      expect(errorOf(await ann.tryReact(id, '👍'))).toEqual([404, '消息不存在']);
    });

    it('return a message sent before for its client_msg_id, and reject others', async () => {
      const chat = await ann.openSingle(ben.id);
      const before = await ann.send(chat, 'before', { client_msg_id: 'm1' });
      await make();
      const again = await ann.trySend(chat, { type: 'text', content: 'before', client_msg_id: 'm1' });
      expect(dataOf(again).id).toBe(before.id);
      const other = { type: 'text', content: 'other', client_msg_id: 'm1' };
      expect(errorOf(await ann.trySend(chat, other))).toEqual([409, '请求标识已被使用']);
      expect(errorOf(await ann.trySend(chat, { ...other, client_msg_id: 'm2' }))).toEqual(NOT_ALLOWED);
    });

    it('reject new single chats of both, and return an existing one', async () => {
      await make();
      for (const [from, to] of [
        [ann, ben],
        [ben, ann],
      ] as const)
        expect(
          errorOf(await from.api.post('/api/messages/conversations', { type: 'single', peer_id: to.id })),
        ).toEqual(NOT_ALLOWED);
      expect(await ann.listedIds()).toEqual([]);
      const [dan, eve] = (await ChatUser.signInAll(test.api, newUserIds(2))) as [ChatUser, ChatUser];
      const chat = await dan.openSingle(eve.id);
      await block(dan.api, eve.id);
      expect([await dan.openSingle(eve.id), await eve.openSingle(dan.id)]).toEqual([chat, chat]);
    });

    it('treat the other as unknown in group creations and additions; shared groups remain', async () => {
      const shared = await cat.createGroup([ann.id, ben.id]);
      const own = await ann.createGroup();
      await make();
      for (const [from, to] of [
        [ann, ben],
        [ben, ann],
      ] as const) {
        const group = { type: 'group', name: 'G', member_ids: [to.id, cat.id, 123_456_789] };
        expect(errorOf(await from.api.post('/api/messages/conversations', group))).toEqual([
          422,
          `用户不存在: ${to.id}, 123456789`,
        ]);
      }
      expect(errorOf(await ann.tryAdd(own, [cat.id, ben.id]))).toEqual([422, `用户不存在: ${ben.id}`]);
      expect((await ann.conversation(own)).member_count).toBe(1);
      expect((await ann.send(shared)).conversation_id).toBe(shared);
      expect((await ben.send(shared)).conversation_id).toBe(shared);
      // Another user may add both to a group.
      expect(
        (
          await cat.api.post('/api/messages/conversations', {
            type: 'group',
            name: 'G',
            member_ids: [ann.id, ben.id],
          })
        ).body.code,
      ).toBe(0);
    });

    it('make both unreachable for calls, before the busy check, without a record', async () => {
      await make();
      await cat.api.post('/api/calls', { callee_id: ben.id });
      for (const [from, to] of [
        [ann, ben],
        [ben, ann],
      ] as const)
        expect(errorOf(await from.api.post('/api/calls', { callee_id: to.id }))).toEqual([
          41003,
          '无法呼叫该用户',
        ]);
      expect(dataOf(await ann.api.get('/api/calls')).pagination.total).toBe(0);
      expect(dataOf(await ben.api.get('/api/calls')).pagination.total).toBe(1);
    });
  });

  it('keep active and ringing calls, and return the call for a repeated request', async () => {
    const call = await createCall(test.api, 'ringing', { request_id: 'r1' });
    await block(call.callee, call.callerId);
    const again = { callee_id: call.calleeId, terminal_id: 'desk', request_id: 'r1' };
    expect(dataOf(await call.caller.post('/api/calls', again)).call_id).toBe(call.id);
    expect((await call.perform(call.callee, 'accept')).body.code).toBe(0);
    expect((await call.perform(call.caller, 'hangup')).body.code).toBe(0);
    expect((await call.caller.post('/api/calls', { callee_id: call.calleeId })).body.code).toBe(41003);
  });

  it('have no effect once both are removed', async () => {
    const chat = await ann.openSingle(ben.id);
    await Promise.all([block(ann.api, ben.id), block(ben.api, ann.id)]);
    await unblock(ann.api, ben.id);
    expect(errorOf(await ann.trySend(chat, { type: 'text', content: 'x' }))).toEqual(NOT_ALLOWED);
    await unblock(ben.api, ann.id);
    expect((await ann.send(chat)).content).toBe('hello');
    expect((await ann.api.post('/api/calls', { callee_id: ben.id })).body.code).toBe(0);
  });
});
