import { DataSource } from 'typeorm';
import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import type { ApiClient } from '../support/api-client';
import { insertCallLists, repairCallLists } from '../support/call-history';
import { createUsers } from '../support/calls';
import { createTestApp, type TestApp } from '../support/test-app';

const PER_PAGE = 3;
const FILTERS = ['', '&peer_id=1', '&peer_id=2'].flatMap((peer) =>
  ['', '&direction=incoming', '&direction=outgoing'].flatMap((direction) =>
    ['', '&missed=1'].flatMap((missed) =>
      ['', '&media_type=audio', '&media_type=video'].map((media) => `${peer}${direction}${missed}${media}`),
    ),
  ),
);

interface Listed {
  call_id: number;
  direction: string;
  media_type: string;
  missed: boolean;
  caller: { id: number };
  callee: { id: number };
}

/** Whether a record matches a filter of the list. */
function belongs({ direction, missed, media_type, caller, callee }: Listed, filter: string): boolean {
  const wanted = new URLSearchParams(filter);
  const peer = direction === 'incoming' ? caller.id : callee.id;
  return (
    (wanted.get('direction') ?? direction) === direction &&
    (wanted.get('missed') === null || missed) &&
    (wanted.get('media_type') ?? media_type) === media_type &&
    Number(wanted.get('peer_id') ?? peer) === peer
  );
}

describe('Lists of calls', () => {
  let test: TestApp;
  let other: TestApp;
  beforeEach(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database });
  });
  afterEach(async () => {
    await other?.close();
    await test?.close();
  });

  const pageOf = async (client: ApiClient, query: string) =>
    (await client.get(`/api/calls?${query}`)).body.data;

  /** Asserts that every list of every user, page by page, equals the call records; `count`: calls of each user. */
  async function expectLists(clients: ApiClient[], counts: number[]): Promise<void> {
    const found: number[] = [];
    for (const client of clients) {
      const { items } = (await pageOf(client, 'per_page=100')) as { items: Listed[] };
      found.push(items.length);
      const ids = items.map(({ call_id }) => call_id);
      expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
      for (const filter of FILTERS) {
        const wanted = items.filter((item) => belongs(item, filter)).map(({ call_id }) => call_id);
        const paged: number[] = [];
        for (let page = 1; page <= Math.floor(wanted.length / PER_PAGE) + 1; page += 1) {
          const response = await pageOf(client, `page=${page}&per_page=${PER_PAGE}${filter}`);
          expect([filter, response.pagination.total]).toEqual([filter, wanted.length]);
          paged.push(...response.items.map((item: Listed) => item.call_id));
        }
        expect([filter, paged]).toEqual([filter, wanted]);
      }
    }
    expect(found).toEqual(counts);
  }

  it('contain every call under every filter, after any change, in the order of the calls', async () => {
    const clients = await createUsers(test.api, 1, 2, 3, 4);
    const [one = test.api, two = test.api, three = test.api, four = test.api] = clients;
    const call = async (from: ApiClient, callee_id: number, media_type = 'audio'): Promise<number> =>
      (await from.post('/api/calls', { callee_id, media_type })).body.data?.call_id;
    const act = (who: ApiClient, id: number, what: string) => who.post(`/api/calls/${id}/${what}`);

    // Busy attempts are missed immediately, before the active call.
    const first = await call(one, 2);
    await call(three, 2, 'video');
    await call(four, 2);
    await call(three, 2);
    await act(one, first, 'cancel');
    // Answered, rejected and unanswered calls, in both directions.
    for (const [media, end, who] of [
      ['video', 'accept', two],
      ['audio', 'reject', two],
      ['video', 'cancel', one],
    ] as const) {
      const id = await call(one, 2, media);
      await call(four, 1, 'video');
      await act(who, id, end);
      const attempt = await call(four, 2, 'video');
      await act(one, id, 'hangup');
      if (attempt) await act(four, attempt, 'cancel');
    }
    await call(two, 1);
    await call(four, 1);
    test.clock.advance(60);
    await test.app.get(CallDeadlines).sweep();
    await expectLists(clients, [9, 11, 2, 8]);
    expect(await repairCallLists(test)).toEqual([]);

    // The migration builds the same lists from the stored calls.
    await insertCallLists(test.app.get(DataSource));
    expect(await repairCallLists(test)).toEqual([]);
    await expectLists(clients, [9, 11, 2, 8]);
  });

  it('contain each call once when two instances place and end calls concurrently', async () => {
    const clients = await createUsers(test.api, 1, 2, 3, 4);
    const elsewhere = await createUsers(other.api, 1, 2, 3, 4);
    for (let round = 0; round < 12; round += 1) {
      const media_type = round % 2 ? 'video' : 'audio';
      await Promise.all(
        [clients, elsewhere].flatMap((people, instance) =>
          people.map(async (from, index) => {
            const callee_id = 1 + ((index + 1 + ((round + instance) % 3)) % 4);
            const { data } = (await from.post('/api/calls', { callee_id, media_type })).body;
            if (data !== null) await from.post(`/api/calls/${data.call_id}/cancel`);
          }),
        ),
      );
    }
    const calls = (await test.query('SELECT caller_id, callee_id FROM calls')) as Record<string, number>[];
    const counts = [1, 2, 3, 4].map(
      (user) => calls.filter(({ caller_id, callee_id }) => user === caller_id || user === callee_id).length,
    );
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(12);
    await expectLists(clients, counts);
    expect(await repairCallLists(test)).toEqual([]);
  });
});
