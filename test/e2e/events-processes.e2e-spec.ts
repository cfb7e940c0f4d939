import { newUserIds } from '../support/calls';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { EventReader } from '../support/event-reader';
import { queryDatabase } from '../support/direct-query';
import { eventually, ServiceProcess } from '../support/service-process';
import { redisIsAvailable, ThrowawayRedis } from '../support/throwaway-redis';

interface Item {
  id: number;
  type: string;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe.each([['with Redis'], ['without Redis']])('Two instances %s', (title) => {
  const withRedis = title === 'with Redis' && redisIsAvailable();
  let database: TestDatabase;
  let redis: ThrowawayRedis | undefined;
  let a: ServiceProcess;
  let b: ServiceProcess;
  let callerId: number;
  let calleeId: number;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    database = await createMigratedDatabase();
    redis = withRedis ? await ThrowawayRedis.start() : undefined;
    [a, b] = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all([a?.kill(), b?.kill(), redis?.stop()]);
    await database?.drop();
  });
  beforeEach(async () => {
    [callerId = 0, calleeId = 0] = newUserIds(2);
    for (const id of [callerId, calleeId]) await b.send(id, 'GET', '/api/calls/active');
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  const start = (): Promise<ServiceProcess> =>
    ServiceProcess.start(database.url, {
      // Calls must not time out on a slow machine.
      CALL_RING_TIMEOUT_SECONDS: '3600',
      ...(redis && { REDIS_URL: redis.url }),
    });
  const listen = async (to: ServiceProcess, userId: number, lastEventId?: number): Promise<EventReader> => {
    const reader = await EventReader.open(to.url, { userId, lastEventId });
    readers.push(reader);
    return reader;
  };
  const ring = async (on: ServiceProcess): Promise<number> =>
    (await on.send(callerId, 'POST', '/api/calls', { callee_id: calleeId })).data.call_id;
  /** Places and cancels a call. */
  const placeAndCancel = async (on: ServiceProcess): Promise<void> => {
    const id = await ring(on);
    await on.send(callerId, 'POST', `/api/calls/${id}/cancel`);
  };
  /** Returns all events of a user, with several polls. */
  const logOf = async (userId: number): Promise<Item[]> => {
    const log: Item[] = [];
    for (;;) {
      const path = `/api/events/poll?after=${log.length}&limit=500`;
      const items: Item[] = (await b.send(userId, 'GET', path)).data.items;
      if (items.length === 0) return log;
      log.push(...items);
    }
  };

  it('deliver a call from A, its answer on B, and the end of ringing to a third terminal on A', async () => {
    const terminals = [await listen(a, calleeId), await listen(a, calleeId)];
    const callId = await ring(a);
    for (const terminal of terminals) await terminal.until(() => terminal.types.includes('call.ringing'));
    await b.send(calleeId, 'POST', `/api/calls/${callId}/accept`, { terminal_id: 'on-b' });
    for (const terminal of terminals) {
      await terminal.until(() => terminal.types.includes('call.answered_elsewhere'));
      expect(terminal.types).toEqual(['call.ringing', 'call.accepted', 'call.answered_elsewhere']);
      expect(terminal.frames[2]?.data).toMatchObject({ terminal_id: 'on-b', call: { call_id: callId } });
    }
    await b.send(callerId, 'POST', `/api/calls/${callId}/hangup`);
  });

  it('end an unanswered call once, with sweeps on both', async () => {
    const callId = await ring(a);
    const reader = await listen(b, calleeId);
    await queryDatabase(database.url, `UPDATE calls SET deadline_at = created_at WHERE id = ${callId}`);
    await reader.until(() => reader.types.includes('call.missed'));
    const types = (await logOf(calleeId)).map(({ type }) => type).filter((type) => type.startsWith('call.'));
    expect(types).toEqual(['call.ringing', 'call.ended', 'call.missed']);
  });

  it('resume a stream on B without gaps when A is killed during a burst', async () => {
    const reader = await listen(a, calleeId);
    let isKilled = false;
    const burst = (async () => {
      for (let left = 5; left > 0; left -= isKilled ? 1 : 0) await placeAndCancel(b);
    })();
    await reader.atLeast(12);
    await a.kill();
    await reader.ended;
    isKilled = true;
    const seen = reader.ids;
    const resumed = await listen(b, calleeId, seen.at(-1));
    await burst;
    const log = await logOf(calleeId);
    await resumed.until(() => resumed.ids.at(-1) === log.length);
    expect([...seen, ...resumed.ids]).toEqual(upTo(log.length));
    expect([...reader.types, ...resumed.types]).toEqual(log.map(({ type }) => type));
    expect(seen.length).toBeGreaterThan(0);
    expect(resumed.ids.length).toBeGreaterThan(0);
    a = await start();
  });

  it('publish no events of a transaction that a killed instance left open', async () => {
    // Every call in the log has either all of its events or none.
    const burst = (async () => {
      for (;;) await placeAndCancel(a);
    })().catch(() => undefined);
    await eventually(
      async () => (await logOf(calleeId)).length,
      (length) => length >= 12,
    );
    await a.kill();
    await burst;
    a = await start();
    const log = await logOf(calleeId);
    expect(log.map(({ id }) => id)).toEqual(upTo(log.length));
    const count = (type: string): number => log.filter((item) => item.type === type).length;
    expect(count('call.missed')).toBe(count('call.cancelled') + count('call.ended'));
    expect(count('call.ringing') - count('call.cancelled') - count('call.ended')).toBeLessThanOrEqual(1);
  });

  if (withRedis) {
    it('lose nothing when Redis is killed and restarted', async () => {
      const reader = await listen(a, calleeId);
      await placeAndCancel(b);
      await reader.until(() => reader.types.filter((type) => type === 'call.missed').length === 1);
      await redis?.stop();
      await placeAndCancel(b);
      await reader.until(() => reader.types.filter((type) => type === 'call.missed').length === 2);
      redis = await ThrowawayRedis.start(redis?.port);
      await placeAndCancel(b);
      await reader.until(() => reader.types.filter((type) => type === 'call.missed').length === 3);
      const log = await logOf(calleeId);
      await reader.until(() => reader.ids.at(-1) === log.length);
      expect(reader.ids).toEqual(upTo(log.length));
    });

    it('lose nothing when Redis hangs', async () => {
      const reader = await listen(a, calleeId);
      const port = redis?.port;
      redis?.freeze();
      await placeAndCancel(b);
      await reader.until(() => reader.types.includes('call.missed'));
      const log = await logOf(calleeId);
      await reader.until(() => reader.ids.at(-1) === log.length);
      expect(reader.ids).toEqual(upTo(log.length));
      await redis?.stop();
      redis = await ThrowawayRedis.start(port);
    });
  }

  it('end the streams of an instance that stops, immediately and with exit code 0', async () => {
    const reader = await listen(a, calleeId);
    const [code] = await Promise.all([a.stop(), reader.ended]);
    expect(code).toBe(0);
    a = await start();
  });
});
