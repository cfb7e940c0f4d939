import { DataSource } from 'typeorm';
import { PositionCalls1764200000000 } from '../../src/database/migrations/1764200000000-PositionCalls';
import type { ApiClient } from '../support/api-client';
import { repairCallLists } from '../support/call-history';
import { createUsers } from '../support/calls';
import { createTestApp, type TestApp } from '../support/test-app';

/** User 1 places two calls and receives two. One of each was never answered: only the received one is missed. */
describe('The lists of calls', () => {
  let test: TestApp;
  let one: ApiClient;
  let two: ApiClient;
  let three: ApiClient;
  let ids: number[];

  beforeEach(async () => {
    test = await createTestApp();
    [one, two, three] = (await createUsers(test.api, 1, 2, 3)) as [ApiClient, ApiClient, ApiClient];
    ids = [
      await call(one, 2, 'audio', 'reject', two),
      await call(one, 3, 'video', 'cancel', one),
      await call(two, 1, 'video', 'reject', one),
      await call(three, 1, 'audio', 'cancel', three),
    ];
  });
  afterEach(() => test?.close());

  async function call(from: ApiClient, callee_id: number, media_type: string, end: string, by: ApiClient) {
    const id: number = (await from.post('/api/calls', { callee_id, media_type })).body.data.call_id;
    await by.post(`/api/calls/${id}/${end}`);
    return id;
  }

  /** Positions in `ids` of the calls that a list of user 1 contains, newest first, and the list's total. */
  async function listed(filter: string): Promise<{ calls: number[]; total: number }> {
    const { items, pagination } = (await one.get(`/api/calls?${filter}`)).body.data;
    const calls = items.map(({ call_id }: { call_id: number }) => ids.indexOf(call_id));
    return { calls, total: pagination.total };
  }

  async function expectLists(): Promise<void> {
    expect(await listed('')).toEqual({ calls: [3, 2, 1, 0], total: 4 });
    expect(await listed('direction=outgoing&peer_id=2')).toEqual({ calls: [0], total: 1 });
    expect(await listed('media_type=video')).toEqual({ calls: [2, 1], total: 2 });
    expect(await listed('missed=1')).toEqual({ calls: [3], total: 1 });
  }

  it('are corrected by the repair, which reports each difference once', async () => {
    expect(await repairCallLists(test)).toEqual([]);
    await test.query('DELETE FROM call_positions WHERE user_id = 1 AND position = 2');
    await test.query('UPDATE call_positions SET peer_position = 7 WHERE user_id = 1 AND position = 1');
    await test.query(
      `INSERT INTO missed_call_positions (user_id, call_id, peer_id, media_type, position, media_position,
         peer_position, peer_media_position) VALUES (1, ${ids[2]}, 2, 'video', 1, 1, 1, 1)`,
    );
    await test.query('UPDATE call_counts SET missed_video = 5 WHERE user_id = 1 AND peer_id = 0');
    await test.query('DELETE FROM call_counts WHERE user_id = 1 AND peer_id = 3');
    expect(await repairCallLists(test)).toEqual([
      { userId: 1, counter: 'wrong rows of call_positions', stored: 2, actual: 0 },
      { userId: 1, counter: 'wrong rows of missed_call_positions', stored: 1, actual: 0 },
      { userId: 1, counter: 'missed_video calls', stored: 5, actual: 0 },
      { userId: 1, counter: 'incoming_audio calls with user 3', stored: 0, actual: 1 },
      { userId: 1, counter: 'outgoing_video calls with user 3', stored: 0, actual: 1 },
      { userId: 1, counter: 'missed_audio calls with user 3', stored: 0, actual: 1 },
    ]);
    expect(await repairCallLists(test)).toEqual([]);
    await expectLists();
  });

  it('are rebuilt for the previous version when the migration is reverted, and again when it runs', async () => {
    const runner = test.app.get(DataSource).createQueryRunner();
    const migration = new PositionCalls1764200000000();
    await migration.down(runner);
    expect(
      await test.query(
        'SELECT call_id, direction, missed FROM call_history WHERE user_id = 1 ORDER BY call_id',
      ),
    ).toEqual([
      { call_id: ids[0], direction: 'outgoing', missed: 0 },
      { call_id: ids[1], direction: 'outgoing', missed: 0 },
      { call_id: ids[2], direction: 'incoming', missed: 0 },
      { call_id: ids[3], direction: 'incoming', missed: 1 },
    ]);
    expect(
      await test.query(
        "SELECT total FROM call_lists WHERE user_id = 1 AND peer_id = 0 AND media_type = '' AND kind = ''",
      ),
    ).toEqual([{ total: 4 }]);
    await migration.up(runner);
    await runner.release();
    expect(await repairCallLists(test)).toEqual([]);
    await expectLists();
  });
});
