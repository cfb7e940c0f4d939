import { execFileSync } from 'node:child_process';
import { FaultHarness } from '../support/fault-harness';

const UNAVAILABLE = { code: 503, message: '服务暂不可用', data: null };
/** Less than a page of the database, so that every write of SQLite fails. */
const NO_SPACE = '4096';

describe('A full disk', () => {
  let fixture: FaultHarness;
  beforeAll(async () => {
    fixture = await FaultHarness.open();
  });
  afterAll(() => fixture?.close());

  /** The system's limit on the size of the files that the service writes, as `ulimit -f` sets it. */
  const limitFiles = (bytes: string): void =>
    void execFileSync('prlimit', ['--pid', String(fixture.service.pid), `--fsize=${bytes}:unlimited`]);

  it('allows reads, rejects writes with 503, and recovers', async () => {
    const [chat] = fixture.traffic.conversations;
    const [person = 0] = chat?.members ?? [];
    const ask = (method: string, path: string, body?: object) =>
      fixture.service.send(person, method, path, body);
    const messages = `/api/messages/conversations/${chat?.id}/messages`;
    const text = { type: 'text', content: 'no space' };
    // Two users without a call.
    for (const id of [801, 802]) await fixture.service.send(id, 'GET', '/api/calls/active');
    const dial = () => fixture.service.send(801, 'POST', '/api/calls', { callee_id: 802 });
    await fixture.underLoad(async () => {
      await fixture.untilAcknowledged(100);
      // Materialised in each inbox by a write, when its owner reads it.
      const news = { broadcast: true, type: 'news', title: 'News', content: 'for all' };
      expect((await fixture.service.send(1, 'POST', '/api/admin/notifications', news, 'admin')).code).toBe(0);
      limitFiles(NO_SPACE);
      for (let round = 0; round < 20; round += 1) {
        expect(await ask('POST', messages, text)).toEqual(UNAVAILABLE);
        expect(await dial()).toEqual(UNAVAILABLE);
        // No other request materialises the announcement in the inbox of this user.
        expect((await fixture.service.send(801, 'GET', '/api/events/poll')).code).toBe(0);
        for (const path of [
          '/api/calls/active',
          '/api/calls',
          '/api/messages/conversations',
          `${messages}?mark_read=0`,
          '/api/notifications',
          '/api/notifications/unread-count',
          '/api/events/poll',
        ]) {
          expect({ path, code: (await ask('GET', path)).code }).toEqual({ path, code: 0 });
        }
      }
      // Under load, a single check may exceed its time limit.
      expect(await fixture.untilReadiness((status) => status === 200)).toEqual([200, { database: 'up' }]);
      limitFiles('unlimited');
      await fixture.untilAcknowledged(100);
    });
    expect(fixture.client.failures).toBeGreaterThan(0);
    expect((await dial()).code).toBe(0);
    await fixture.check();
  });
});
