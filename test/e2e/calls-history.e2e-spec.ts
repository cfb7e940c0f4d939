import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import type { ApiClient } from '../support/api-client';
import { createCall, createUsers } from '../support/calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Call records', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  describe('GET /api/calls/{callId}', () => {
    it('is the whole record of API 5.6, as its callee sees it', async () => {
      const caller = test.api.withToken(
        (await test.api.as({ id: 11, name: '爱丽丝' })).headers.authorization?.slice(7) ?? '',
      );
      const callee = await test.api.as({ id: 12, name: 'Bob' });
      await callee.get('/api/calls/active');
      const created = await caller.post('/api/calls', { callee_id: 12, media_type: 'video' });
      const { call_id, channel_name } = created.body.data;
      test.clock.advance(10);
      await callee.post(`/api/calls/${call_id}/accept`);
      test.clock.advance(2);
      await callee.post(`/api/calls/${call_id}/media-state`, { stage: 'joined' });
      test.clock.advance(65.9);
      await caller.post(`/api/calls/${call_id}/hangup`, { reason: 'done' });
      test.clock.advance(1);

      expect((await callee.get(`/api/calls/${call_id}`)).body.data).toEqual({
        call_id,
        direction: 'incoming',
        media_type: 'video',
        status: 'ended',
        end_reason: 'done',
        ended_by: 11,
        version: 4,
        caller: { id: 11, name: '爱丽丝', avatar: null },
        callee: { id: 12, name: 'Bob', avatar: null },
        channel_name,
        created_at: '2026-01-31T08:00:00.000Z',
        ring_expires_at: '2026-01-31T08:01:00.000Z',
        accepted_at: '2026-01-31T08:00:10.000Z',
        started_at: '2026-01-31T08:00:12.000Z',
        ended_at: '2026-01-31T08:01:17.900Z',
        duration: 67,
        missed: false,
        server_time: '2026-01-31T08:01:18.900Z',
        caller_uid: expect.stringMatching(/^[1-9]\d{0,9}$/),
        callee_uid: expect.stringMatching(/^[1-9]\d{0,9}$/),
      });
    });

    it('returns a ringing call with null for everything that has not happened yet', async () => {
      const fixture = await createCall(test.api);
      expect(await fixture.record()).toMatchObject({
        direction: 'outgoing',
        status: 'ringing',
        end_reason: null,
        ended_by: null,
        accepted_at: null,
        started_at: null,
        ended_at: null,
        duration: 0,
        missed: false,
      });
    });

    it('returns 404 to a user who is not in the call', async () => {
      const fixture = await createCall(test.api);
      const response = await fixture.stranger.get(`/api/calls/${fixture.id}`);
      expect(response.body).toEqual({ code: 404, message: '通话不存在', data: null });
    });

    it('returns 404 for an unknown call', async () => {
      const [user] = await createUsers(test.api, 1);
      expect((await user?.get('/api/calls/999999999'))?.body).toEqual({
        code: 404,
        message: '通话不存在',
        data: null,
      });
    });
  });

  describe('Missed calls', () => {
    it.each([
      ['cancelled before the answer', 'cancelled', true],
      ['rejected', 'rejected', false],
      ['answered and hung up', 'ended', false],
    ] as const)('%s: are missed by the callee alone, or by no user', async (_, stage, missed) => {
      const fixture = await createCall(test.api, stage);
      const [theirs] = (await fixture.callee.get('/api/calls')).body.data.items;
      const [mine] = (await fixture.caller.get('/api/calls')).body.data.items;
      expect([theirs.missed, mine.missed]).toEqual([missed, false]);
      expect((await fixture.callee.get('/api/calls?missed=1')).body.data.items).toHaveLength(missed ? 1 : 0);
    });

    it.each([
      ['cancelled before the answer', 'cancelled', 1],
      ['rejected', 'rejected', 0],
      ['answered', 'ended', 0],
    ] as const)('%s: %s creates %i notification(s) for the callee', async (_, stage, count) => {
      const fixture = await createCall(test.api, stage, { media_type: 'video' });
      const { list } = (await fixture.callee.get('/api/notifications?type=call_missed')).body.data;
      const content = `User ${fixture.callerId} 的视频通话`;
      const expected = { type: 'call_missed', title: '未接来电', content, is_read: 0 };
      expect(list).toMatchObject(Array.from({ length: count }, () => expected));
      expect(list).toHaveLength(count);
      expect((await fixture.caller.get('/api/notifications')).body.data.total).toBe(0);
    });

    it('create one notification for a time-out, regardless of concurrent reads', async () => {
      const fixture = await createCall(test.api);
      test.clock.advance(60);
      await Promise.all([fixture.record(), fixture.record(), test.app.get(CallDeadlines).sweep()]);
      expect((await fixture.callee.get('/api/notifications/unread-count')).body.data).toEqual({
        count: 1,
        by_type: { call_missed: 1 },
      });
    });

    it('create one notification for a busy attempt, also when it is repeated', async () => {
      const fixture = await createCall(test.api);
      const attempt = { callee_id: fixture.calleeId, request_id: 'again' };
      await fixture.stranger.post('/api/calls', attempt);
      await fixture.stranger.post('/api/calls', attempt);
      expect((await fixture.callee.get('/api/notifications/unread-count')).body.data.count).toBe(1);
    });

    it('include an unanswered call in the count', async () => {
      const fixture = await createCall(test.api);
      test.clock.advance(60);
      expect((await fixture.callee.get('/api/calls?missed=1')).body.data.items).toMatchObject([
        { call_id: fixture.id, missed: true, end_reason: 'no_answer' },
      ]);
      expect((await fixture.caller.get('/api/calls?missed=1')).body.data.items).toEqual([]);
    });
  });

  describe('GET /api/calls/active', () => {
    it.each([
      ['ringing', 'ringing'],
      ['accepted', 'accepted'],
      ['ongoing', 'ongoing'],
    ] as const)('returns a call that is %s to both users', async (stage, status) => {
      const fixture = await createCall(test.api, stage);
      expect((await fixture.caller.get('/api/calls/active')).body.data).toMatchObject({
        call_id: fixture.id,
        status,
        direction: 'outgoing',
      });
      expect((await fixture.callee.get('/api/calls/active')).body.data).toMatchObject({
        call_id: fixture.id,
        status,
        direction: 'incoming',
      });
    });

    it.each(['rejected', 'cancelled', 'ended'] as const)(
      'returns null when the last call is %s',
      async (stage) => {
        const fixture = await createCall(test.api, stage);
        expect((await fixture.caller.get('/api/calls/active')).body).toEqual({
          code: 0,
          message: '操作成功',
          data: null,
        });
        expect((await fixture.callee.get('/api/calls/active')).body.data).toBeNull();
      },
    );

    it('returns null for a call whose ring has timed out, before any sweep', async () => {
      const fixture = await createCall(test.api);
      test.clock.advance(60);
      expect((await fixture.callee.get('/api/calls/active')).body.data).toBeNull();
    });
  });

  describe('GET /api/calls', () => {
    let me: ApiClient;
    let ids: number[];

    /** Calls of user 1: 1→2 audio, 2→1 video, 1→3 video, 3→1 audio (missed), in this order. */
    beforeAll(async () => {
      const [one, two, three] = await createUsers(test.api, 1, 2, 3);
      if (!one || !two || !three) throw new Error('nobody came');
      me = one;
      const call = async (from: ApiClient, to: number, media_type: string, act: string, actor: ApiClient) => {
        const { call_id } = (await from.post('/api/calls', { callee_id: to, media_type })).body.data;
        await actor.post(`/api/calls/${call_id}/${act}`);
        test.clock.advance(1);
        return call_id as number;
      };
      ids = [
        await call(one, 2, 'audio', 'cancel', one),
        await call(two, 1, 'video', 'reject', one),
        await call(one, 3, 'video', 'cancel', one),
        await call(three, 1, 'audio', 'cancel', three),
      ];
    });

    const found = async (query: string): Promise<number[]> => {
      const { items } = (await me.get(`/api/calls${query}`)).body.data;
      return items.map(({ call_id }: { call_id: number }) => ids.indexOf(call_id) + 1);
    };

    it.each([
      ['', [4, 3, 2, 1]],
      ['?direction=', [4, 3, 2, 1]],
      ['?peer_id=99', []],
      ['?page=2&per_page=3', [1]],
      ['?page=9', []],
      ['?unknown=1', [4, 3, 2, 1]],
    ])('with "%s" returns %j', async (query, expected) => {
      expect(await found(query)).toEqual(expected);
    });

    it('returns the totals in the shape of new lists, and in a header', async () => {
      const response = await me.get('/api/calls?page=1&per_page=3');
      expect(response.body.data.pagination).toEqual({
        total: 4,
        per_page: 3,
        current_page: 1,
        last_page: 2,
        has_more: true,
      });
      expect(response.headers['x-total-count']).toBe('4');
      const last = await me.get('/api/calls?page=2&per_page=3');
      expect(last.body.data.pagination).toEqual({
        total: 4,
        per_page: 3,
        current_page: 2,
        last_page: 2,
        has_more: false,
      });
      const beyond = await me.get('/api/calls?page=9&per_page=3');
      expect(beyond.body.data.pagination).toEqual({
        total: 4,
        per_page: 3,
        current_page: 9,
        last_page: 2,
        has_more: false,
      });
      const none = await me.get('/api/calls?peer_id=99');
      expect(none.body.data.pagination).toEqual({
        total: 0,
        per_page: 20,
        current_page: 1,
        last_page: 1,
        has_more: false,
      });
    });

    it.each([
      ['?page=0', 'page 不能小于 1'],
      ['?page=abc', 'page 必须是整数'],
      ['?page=1e2', 'page 必须是整数'],
      ['?page=1&page=2', 'page 必须是整数'],
      ['?per_page=101', 'per_page 不能大于 100'],
      ['?per_page=0', 'per_page 不能小于 1'],
      ['?direction=sideways', 'direction 取值无效'],
      ['?missed=2', 'missed 取值无效'],
      ['?missed=yes', 'missed 必须是整数'],
      ['?peer_id=0', 'peer_id 不能小于 1'],
      ['?peer_id=x&page=x', 'page 必须是整数'],
      ['?media_type=text', 'media_type 取值无效'],
    ])('rejects "%s": %s', async (query, message) => {
      const response = await me.get(`/api/calls${query}`);
      expect(response.body).toEqual({ code: 422, message, data: null });
      expect(response.status).toBe(422);
    });
  });
});
