import { DataSource } from 'typeorm';
import type { ApiClient } from '../support/api-client';
import { aCall, newUserIds } from '../support/calls';
import { Chatter, dataOf, verdictOf } from '../support/messaging';
import { block, unblock } from '../support/people';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

const NOT_ALLOWED = [403, '无权操作'];
const NO_SUCH_USER = [404, '用户不存在'];

describe('Blocks', () => {
  let test: TestApp;
  let ann: Chatter;
  let ben: Chatter;
  let cat: Chatter;
  beforeAll(async () => {
    test = await createTestApp();
  });
  beforeEach(async () => {
    test.clock.set(START);
    [ann, ben, cat] = (await Chatter.meetAll(test.api, newUserIds(3))) as [Chatter, Chatter, Chatter];
  });
  afterAll(() => test?.close());

  const eventsOf = async ({ api }: { api: ApiClient }): Promise<object[]> =>
    dataOf(await api.get('/api/events/poll?limit=500')).items.map(
      ({ id: _id, created_at: _at, ...event }: Record<string, unknown>) => event,
    );

  describe('of one’s own', () => {
    const list = async (query = '') => dataOf(await ann.api.get(`/api/users/blocks${query}`));

    it('are made, taken back, and made once', async () => {
      for (const answer of [await block(ann.api, ben.id), await block(ann.api, ben.id)])
        expect(answer.body).toEqual({ code: 0, message: '操作成功', data: null });
      expect((await list()).pagination.total).toBe(1);
      for (const answer of [await unblock(ann.api, ben.id), await unblock(ann.api, ben.id)])
        expect(answer.body).toEqual({ code: 0, message: '操作成功', data: null });
      expect((await list()).items).toEqual([]);
    });

    it('are listed, the newest first, in pages', async () => {
      await block(ann.api, ben.id);
      test.clock.advance(1);
      await block(ann.api, cat.id);
      // Again changes nothing, the time neither.
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

    it('are told to who makes them, on all terminals, and to nobody else; again: not', async () => {
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

    it('are not of oneself, nor of nobody; a disabled user can be blocked', async () => {
      expect(verdictOf(await block(ann.api, ann.id))).toEqual([422, 'id 取值无效']);
      expect(verdictOf(await unblock(ann.api, ann.id))).toEqual([422, 'id 取值无效']);
      expect(verdictOf(await block(ann.api, 123_456_789))).toEqual(NO_SUCH_USER);
      expect(verdictOf(await unblock(ann.api, 123_456_789))).toEqual(NO_SUCH_USER);
      await test.query(`UPDATE users SET status = 0 WHERE id = ${ben.id}`);
      expect((await block(ann.api, ben.id)).body.code).toBe(0);
    });

    it('are 1,000 at most', async () => {
      const first = 5_000_000;
      const ids = Array.from({ length: 1_001 }, (_, index) => first + index);
      for (let start = 0; start < ids.length; start += 500)
        await insertUsers(test.app.get(DataSource), ids.slice(start, start + 500));
      const rows = ids.slice(0, 999).map((id) => `(${ann.id}, ${id}, '2026-01-31 08:00:00.000')`);
      await test.query(`INSERT INTO user_blocks (user_id, blocked_id, blocked_at) VALUES ${rows.join(', ')}`);
      expect((await block(ann.api, first + 999)).body.code).toBe(0);
      expect(verdictOf(await block(ann.api, first + 1_000))).toEqual([422, 'id 数量不能超过 1000']);
      // One that is there is there; one that goes makes room.
      expect((await block(ann.api, first)).body.code).toBe(0);
      await unblock(ann.api, first);
      expect((await block(ann.api, first + 1_000)).body.code).toBe(0);
    });
  });

  describe.each([
    ['made by the one', () => block(ann.api, ben.id)],
    ['made by the other', () => block(ben.api, ann.id)],
  ])('between two, %s,', (_, make) => {
    it('keep messages and edits from both, in the same words; reading and recalling go on', async () => {
      const chat = await ann.openSingle(ben.id);
      const { id } = await ann.send(chat, 'before');
      await make();
      const body = { type: 'text', content: 'after' };
      const [one, other] = [await ann.trySend(chat, body), await ben.trySend(chat, body)];
      expect(verdictOf(one)).toEqual(NOT_ALLOWED);
      expect(other.text).toBe(one.text);
      for (const content of ['before', 'mended'])
        expect(verdictOf(await ann.api.put(`/api/messages/${id}`, { content }))).toEqual(NOT_ALLOWED);
      expect((await ben.history(chat)).items.map(({ content }) => content)).toEqual(['before']);
      expect((await ann.recall(id)).is_recalled).toBe(true);
      expect((await ben.conversation(chat)).unread_count).toBe(0);
    });

    it('answer what was sent before with the message, and nothing that was not', async () => {
      const chat = await ann.openSingle(ben.id);
      const before = await ann.send(chat, 'before', { client_msg_id: 'm1' });
      await make();
      const again = await ann.trySend(chat, { type: 'text', content: 'before', client_msg_id: 'm1' });
      expect(dataOf(again).id).toBe(before.id);
      const other = { type: 'text', content: 'other', client_msg_id: 'm1' };
      expect(verdictOf(await ann.trySend(chat, other))).toEqual([409, '请求标识已被使用']);
      expect(verdictOf(await ann.trySend(chat, { ...other, client_msg_id: 'm2' }))).toEqual(NOT_ALLOWED);
    });

    it('keep new single chats from both, and answer with the one that there is', async () => {
      await make();
      for (const [from, to] of [
        [ann, ben],
        [ben, ann],
      ] as const)
        expect(
          verdictOf(await from.api.post('/api/messages/conversations', { type: 'single', peer_id: to.id })),
        ).toEqual(NOT_ALLOWED);
      expect(await ann.listedIds()).toEqual([]);
      const [dan, eve] = (await Chatter.meetAll(test.api, newUserIds(2))) as [Chatter, Chatter];
      const chat = await dan.openSingle(eve.id);
      await block(dan.api, eve.id);
      expect([await dan.openSingle(eve.id), await eve.openSingle(dan.id)]).toEqual([chat, chat]);
    });

    it('count both as unknown where one brings the other into a group; shared groups stay', async () => {
      const shared = await cat.createGroup([ann.id, ben.id]);
      const own = await ann.createGroup();
      await make();
      for (const [from, to] of [
        [ann, ben],
        [ben, ann],
      ] as const) {
        const group = { type: 'group', name: 'G', member_ids: [to.id, cat.id, 123_456_789] };
        expect(verdictOf(await from.api.post('/api/messages/conversations', group))).toEqual([
          422,
          `用户不存在: ${to.id}, 123456789`,
        ]);
      }
      expect(verdictOf(await ann.tryAdd(own, [cat.id, ben.id]))).toEqual([422, `用户不存在: ${ben.id}`]);
      expect((await ann.conversation(own)).member_count).toBe(1);
      expect((await ann.send(shared)).conversation_id).toBe(shared);
      expect((await ben.send(shared)).conversation_id).toBe(shared);
      // Somebody else may bring both together.
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

    it('make both unreachable for calls, before anybody is found busy, without a record', async () => {
      await make();
      await cat.api.post('/api/calls', { callee_id: ben.id });
      for (const [from, to] of [
        [ann, ben],
        [ben, ann],
      ] as const)
        expect(verdictOf(await from.api.post('/api/calls', { callee_id: to.id }))).toEqual([
          41003,
          '无法呼叫该用户',
        ]);
      expect(dataOf(await ann.api.get('/api/calls')).pagination.total).toBe(0);
      expect(dataOf(await ben.api.get('/api/calls')).pagination.total).toBe(1);
    });
  });

  it('let calls go on that are there, ringing ones too, and answer a repeated request with its call', async () => {
    const call = await aCall(test.api, 'ringing', { request_id: 'r1' });
    await block(call.callee, call.callerId);
    const again = { callee_id: call.calleeId, terminal_id: 'desk', request_id: 'r1' };
    expect(dataOf(await call.caller.post('/api/calls', again)).call_id).toBe(call.id);
    expect((await call.act(call.callee, 'accept')).body.code).toBe(0);
    expect((await call.act(call.caller, 'hangup')).body.code).toBe(0);
    expect((await call.caller.post('/api/calls', { callee_id: call.calleeId })).body.code).toBe(41003);
  });

  it('once taken back are as if they had never been; both must be', async () => {
    const chat = await ann.openSingle(ben.id);
    await Promise.all([block(ann.api, ben.id), block(ben.api, ann.id)]);
    await unblock(ann.api, ben.id);
    expect(verdictOf(await ann.trySend(chat, { type: 'text', content: 'x' }))).toEqual(NOT_ALLOWED);
    await unblock(ben.api, ann.id);
    expect((await ann.send(chat)).content).toBe('hello');
    expect((await ann.api.post('/api/calls', { callee_id: ben.id })).body.code).toBe(0);
  });
});
