import { DataSource } from 'typeorm';
import { TimedPool } from '../../src/database/mysql/timed-pool';
import type { ApiClient } from '../support/api-client';
import { addPastCalls, insertCallLists, type PastCall } from '../support/call-history';
import { createUsers } from '../support/calls';
import { stopJobs } from '../support/jobs';
import { rowsReadOn } from '../support/rows-read';
import { createTestApp, type TestApp } from '../support/test-app';

/** 12,000 calls of user 1: half of them with user 2, a third incoming, a sixth missed, half of them video. */
const CALLS = Array.from({ length: 12_000 }, (_, index): PastCall => {
  const id = index + 1;
  return {
    id,
    peer_id: 2 + (id % 2),
    direction: id % 3 === 0 ? 'incoming' : 'outgoing',
    media_type: id % 4 < 2 ? 'audio' : 'video',
    missed: id % 6 === 0,
  };
});

describe('GET /api/calls', () => {
  let test: TestApp;
  let me: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    await stopJobs(test);
    me = (await createUsers(test.api, 1, 2, 3))[0] ?? test.api;
    await addPastCalls(test.app.get(DataSource), 1, CALLS);
    await insertCallLists(test.app.get(DataSource));
  });
  afterAll(() => test?.close());

  /** Returns a page, and the number of rows that the server reads when its statements are repeated on another connection. */
  async function readPage(query: string): Promise<{ total: number; ids: number[]; rowsRead: number }> {
    const onConnection = jest.spyOn(TimedPool.prototype, 'queryOn');
    const anywhere = jest.spyOn(TimedPool.prototype, 'query');
    const { items, pagination } = (await me.get(`/api/calls?per_page=10&${query}`)).body.data;
    const sent = [
      ...anywhere.mock.calls,
      ...onConnection.mock.calls.map(([, sql, parameters]) => [sql, parameters] as const),
    ];
    jest.restoreAllMocks();
    const runner = test.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    const before = await rowsReadOn(runner);
    for (const [sql, parameters] of sent) await runner.query(sql, parameters);
    const rowsRead = (await rowsReadOn(runner)) - before;
    await runner.rollbackTransaction();
    await runner.release();
    const ids = items.map(({ call_id }: { call_id: number }) => call_id);
    return { total: pagination.total, ids, rowsRead };
  }

  it.each([
    ['page=1', 12_000, 12_000],
    ['page=1200', 12_000, 10],
    ['page=100&direction=outgoing', 8_000, 10_514],
    ['page=200&direction=incoming', 4_000, 6_030],
    ['page=100&missed=1', 2_000, 6_060],
    ['page=100&missed=1&direction=incoming&media_type=video', 1_000, 114],
    ['page=600&peer_id=2', 6_000, 20],
    ['page=300&media_type=audio', 6_000, 6_020],
    ['page=100&peer_id=3&direction=outgoing&media_type=video', 2_000, 6_059],
  ])('%s reads only the rows of the page, with %i calls', async (query, total, newest) => {
    const page = await readPage(query);
    expect([page.total, page.ids[0], page.ids.length]).toEqual([total, newest, 10]);
    expect(page.rowsRead).toBeGreaterThan(10);
    // A sweep of the service may have run at the same time.
    expect(page.rowsRead).toBeLessThan(300);
  });
});
