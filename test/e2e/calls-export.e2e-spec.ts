import { DataSource } from 'typeorm';
import { addCalls, type SoughtCall } from '../support/all-calls';
import type { ApiClient } from '../support/api-client';
import { createCall } from '../support/calls';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const EXPORT = '/api/admin/calls/export';

describe('The export of all calls', () => {
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

  const fetchFile = (query = '', method: 'GET' | 'HEAD' = 'GET') => admin.send(method, `${EXPORT}?${query}`);
  const rowsOf = (body: string): { call_id: number }[] =>
    body
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { call_id: number });
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

  it('has one JSON record per line as in the list, newest first', async () => {
    const { id } = await createCall(test.api, 'ended');
    test.clock.advance(1);
    await createCall(test.api, 'ringing', { media_type: 'video' });
    test.clock.advance(15);
    const { items } = (await admin.get('/api/admin/calls')).body.data;
    const { status, headers, text } = await fetchFile();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="calls.ndjson"',
      'cache-control': 'no-store',
    });
    expect(rowsOf(text)).toEqual(items);
    expect(items[1].call_id).toBe(id);
  });

  it('has CSV with one column per field, without formulas in names', async () => {
    const [caller, callee] = [await testUser(test.api, { id: 71 }), await testUser(test.api, { id: 72 })];
    await caller.put('/api/auth/me', { name: '=1+1' });
    await callee.put('/api/auth/me', { name: '李, "雷"' });
    await caller.post('/api/calls', { callee_id: 72 });
    await caller.post('/api/calls', { callee_id: 72 });
    test.clock.advance(15);
    const { headers, text } = await fetchFile('format=csv');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head, line, ...rest] = text.split('\r\n');
    expect(head).toBe(
      '\uFEFFcall_id,media_type,status,end_reason,ended_by,version,caller.id,caller.name,caller.avatar,' +
        'callee.id,callee.name,callee.avatar,channel_name,created_at,ring_expires_at,accepted_at,started_at,' +
        'ended_at,duration,missed,caller_uid,callee_uid',
    );
    expect(line).toMatch(
      /^\d+,audio,ringing,,,1,71,'=1\+1,,72,"李, ""雷""",,call-[\da-f-]{36},2026-01-31T08:00:00\.000Z,2026-01-31T08:01:00\.000Z,,,,0,false,\d+,\d+$/,
    );
    expect(rest).toEqual(['']);
    const [record = {}] = rowsOf((await fetchFile()).text);
    const fields = Object.entries(record).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.keys(value).map((inner) => `${name}.${inner}`)
        : [name],
    );
    expect(head?.slice(1).split(',').toSorted()).toEqual(fields.toSorted());
  });

  it('contains each of many calls once', async () => {
    const ids = await add(
      ...Array.from({ length: 1_203 }, (_, index) => ({
        created_at: new Date(Date.parse(START) - (index % 7) * 1_000),
      })),
    );
    test.clock.advance(15);
    const rows = rowsOf((await fetchFile('user_id=12')).text);
    expect(rows).toHaveLength(1_203);
    expect(rows.map(({ call_id }) => call_id).toSorted((a, b) => a - b)).toEqual(ids);
    expect(rowsOf((await fetchFile()).text)).toEqual(rows);
  });

  it('applies the filters of the list, and omits calls younger than 15 s', async () => {
    const [a, , c] = await add(
      { created_at: new Date('2026-01-31T07:00:00Z') },
      { created_at: new Date('2026-01-31T07:00:00Z'), media_type: 'video' },
      { created_at: new Date('2026-01-31T07:59:45Z') },
      { created_at: new Date('2026-01-31T07:59:45.001Z') },
    );
    const idsOf = async (query: string) =>
      rowsOf((await fetchFile(query)).text).map(({ call_id }) => call_id);
    expect(await idsOf('media_type=audio')).toEqual([c, a]);
    expect(await idsOf('media_type=audio&to=2026-01-31T07:59:45Z')).toEqual([a]);
    expect(await idsOf('media_type=audio&to=2100-01-01')).toEqual([c, a]);
    expect(await idsOf('from=2100-01-01')).toEqual([]);
  });

  it('shows calls after their deadline as ended', async () => {
    await createCall(test.api);
    test.clock.advance(61);
    expect(rowsOf((await fetchFile()).text)).toMatchObject([{ status: 'ended', end_reason: 'no_answer' }]);
  });

  it('has only a header without calls, and returns errors in the envelope', async () => {
    expect((await fetchFile()).text).toBe('');
    expect((await fetchFile('format=csv')).text.split('\r\n')).toHaveLength(2);
    const head = await fetchFile('format=csv', 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    for (const [query, message] of [
      ['format=xml', 'format 取值无效'],
      ['from=2020-01-01', 'to 取值无效'],
      ['status=over', 'status 取值无效'],
    ] as const) {
      const response = await fetchFile(query);
      expect(response.body).toEqual({ code: 422, message, data: null });
      expect(response.status).toBe(422);
    }
  });
});
