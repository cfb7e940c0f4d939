import { DataSource } from 'typeorm';
import type { CallStatus } from '../../src/calls/rules/call-state.rules';
import { addCalls, type SoughtCall } from '../support/all-calls';
import type { ApiClient } from '../support/api-client';
import { createCall } from '../support/calls';
import { createTestApp, START, type TestApp } from '../support/test-app';

const CALLS = '/api/admin/calls';

interface Record {
  call_id: number;
  created_at: string;
}

describe('The list of all calls for administrators', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  beforeEach(async () => {
    test.clock.set(START);
    await test.query('DELETE FROM calls');
    await test.query('DELETE FROM call_seats');
  });
  afterAll(() => test?.close());

  const list = async (query = '') => (await admin.get(`${CALLS}?${query}`)).body;
  const idsOf = async (query = ''): Promise<number[]> =>
    (await list(query)).data.items.map(({ call_id }: Record) => call_id);
  const add = (...calls: Partial<SoughtCall>[]): Promise<number[]> =>
    addCalls(
      test.app.get(DataSource),
      calls.map((call) => ({
        caller_id: 11,
        callee_id: 12,
        media_type: 'audio',
        status: 'ended',
        end_reason: 'local_hangup',
        created_at: new Date(START),
        ...call,
      })),
    );
  const ago = (seconds: number): Date => new Date(Date.parse(START) - seconds * 1_000);

  it('contains each call as it is shown, newest first', async () => {
    const first = await createCall(test.api, 'ended', { media_type: 'video' });
    test.clock.advance(1);
    const second = await createCall(test.api, 'ringing');
    const { code, data } = await list();
    expect(code).toBe(0);
    expect(data.items.map(({ call_id }: Record) => call_id)).toEqual([second.id, first.id]);
    expect(data.next_cursor).toBeNull();
    for (const call of [first, second]) {
      const { terminals: _, timeline: __, ...record } = (await admin.get(`${CALLS}/${call.id}`)).body.data;
      expect(data.items).toContainEqual(record);
    }
  });

  it('is filtered by either user, status, end reason and media', async () => {
    const [a = 0, b = 0, c = 0, d = 0] = await add(
      { caller_id: 21, callee_id: 22, created_at: ago(40) },
      { caller_id: 22, callee_id: 23, media_type: 'video', status: 'rejected', end_reason: 'busy here' },
      { caller_id: 21, callee_id: 23, status: 'cancelled', end_reason: 'caller_cancel', created_at: ago(20) },
      { caller_id: 24, callee_id: 21, status: 'ongoing', end_reason: null, created_at: ago(10) },
    );
    expect(await idsOf()).toEqual([b, d, c, a]);
    expect(await idsOf('user_id=21')).toEqual([d, c, a]);
    expect(await idsOf('user_id=22')).toEqual([b, a]);
    expect(await idsOf('user_id=99')).toEqual([]);
    expect(await idsOf('status=ongoing')).toEqual([d]);
    expect(await idsOf('end_reason=busy%20here')).toEqual([b]);
    expect(await idsOf('end_reason=BUSY%20here')).toEqual([]);
    expect(await idsOf('media_type=audio')).toEqual([d, c, a]);
    expect(await idsOf('user_id=21&end_reason=caller_cancel')).toEqual([c]);
    expect(await idsOf('user_id=21&end_reason=caller_cancel&status=ended')).toEqual([]);
    expect(await idsOf('user_id=21&status=ended&media_type=audio')).toEqual([a]);
    expect(await idsOf('end_reason=local_hangup&status=rejected')).toEqual([]);
  });

  it('covers the last 30 days, or up to 366 on request', async () => {
    const [old = 0, month = 0, now = 0] = await add(
      { created_at: ago(30 * 86_400 + 0.001) },
      { created_at: ago(30 * 86_400) },
      {},
    );
    expect(await idsOf()).toEqual([now, month]);
    expect(await idsOf('from=2025-02-01')).toEqual([now, month, old]);
    expect(await idsOf(`to=${START}`)).toEqual([month]);
    expect(await idsOf('to=2026-01-31')).toEqual([now, month]);
    expect(await idsOf(`from=${START}&to=2026-01-31T08:00:00.001Z`)).toEqual([now]);
    expect(await idsOf('from=2026-01-31T16:00:00%2B08:00')).toEqual([now]);
    const refused = { code: 422, message: 'to 取值无效', data: null };
    expect(await list('from=2025-01-01')).toEqual(refused);
    expect(await list('from=2025-01-01&to=2026-01-02')).toEqual(refused);
    expect(await list('from=2026-01-31&to=2026-01-30')).toEqual(refused);
    expect((await list('from=yesterday')).message).toBe('from 取值无效');
  });

  it('is read page by page to the end, with concurrent changes and equal timestamps', async () => {
    const ids = await add(
      ...Array.from({ length: 7 }, (_, index) => ({ created_at: ago(index < 5 ? 9 : 5) })),
    );
    const [a, b, c, d, e, f, g] = ids;
    const first = (await list('user_id=12&limit=3')).data;
    expect(first.items.map(({ call_id }: Record) => call_id)).toEqual([g, f, e]);
    await add({});
    const second = (await list(`user_id=12&limit=3&cursor=${first.next_cursor}`)).data;
    expect(second.items.map(({ call_id }: Record) => call_id)).toEqual([d, c, b]);
    const third = (await list(`user_id=12&limit=3&cursor=${second.next_cursor}`)).data;
    expect(third).toMatchObject({ items: [{ call_id: a }], next_cursor: null });
  });

  it.each([
    ['limit=0', 'limit 不能小于 1'],
    ['limit=201', 'limit 不能大于 200'],
    ['cursor=x', 'cursor 取值无效'],
    ['status=over', 'status 取值无效'],
    ['media_type=text', 'media_type 取值无效'],
    ['user_id=x', 'user_id 必须是整数'],
    [`end_reason=${'x'.repeat(65)}`, 'end_reason 长度不能超过 64 个字符'],
  ])('rejects %s', async (query, message) => {
    expect(await list(query)).toEqual({ code: 422, message, data: null });
  });

  it('accepts only a cursor of the same list and filters', async () => {
    await add({}, {}, {});
    const { next_cursor: cursor } = (await list('limit=1&status=ended')).data;
    expect((await list(`limit=2&status=ended&cursor=${cursor}`)).data.items).toHaveLength(2);
    const refused = { code: 422, message: 'cursor 取值无效', data: null };
    expect(await list(`limit=1&cursor=${cursor}`)).toEqual(refused);
    expect(await list(`limit=1&status=ended&user_id=11&cursor=${cursor}`)).toEqual(refused);
  });

  it('shows calls after their deadline as ended', async () => {
    const call = await createCall(test.api);
    test.clock.advance(61);
    expect((await list('status=ringing')).data.items).toEqual([]);
    expect((await list('status=ended')).data.items).toMatchObject([
      { call_id: call.id, end_reason: 'no_answer', missed: true },
    ]);
  });

  it('combines all filters on every page', async () => {
    const pick = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;
    const sought: SoughtCall[] = Array.from({ length: 300 }, (_, index) => ({
      caller_id: pick([31, 32, 33], index * 7),
      callee_id: pick([34, 35, 31], index * 7),
      media_type: pick(['audio', 'video'], Math.floor(index / 3)),
      status: pick<CallStatus>(['ringing', 'ongoing', 'ended', 'rejected', 'cancelled', 'ended'], index * 5),
      end_reason: pick([null, null, 'a', 'b', 'c', 'b'], index * 5),
      created_at: ago(Math.floor((index * 37) % 40)),
    }));
    const ids = await add(...sought);
    const all = sought
      .map((call, index) => ({ ...call, id: ids[index] ?? 0 }))
      .toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime() || b.id - a.id);
    const from = ago(30);
    for (const user of [undefined, 31, 34, 36])
      for (const status of [undefined, 'ended', 'ringing', 'accepted'] as const)
        for (const reason of [undefined, 'b', 'z'])
          for (const media of [undefined, 'video'] as const) {
            const wanted = all.filter(
              (call) =>
                (user === undefined || call.caller_id === user || call.callee_id === user) &&
                (status === undefined || call.status === status) &&
                (reason === undefined || call.end_reason === reason) &&
                (media === undefined || call.media_type === media) &&
                call.created_at >= from,
            );
            const query = Object.entries({ user_id: user, status, end_reason: reason, media_type: media })
              .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
              .join('&');
            const found: number[] = [];
            for (let cursor: string | null = ''; cursor !== null;) {
              const { data } = await list(`${query}&from=${from.toISOString()}&limit=80&cursor=${cursor}`);
              found.push(...data.items.map(({ call_id }: Record) => call_id));
              cursor = data.next_cursor;
            }
            expect({ query, found }).toEqual({ query, found: wanted.map(({ id }) => id) });
          }
  });
});
