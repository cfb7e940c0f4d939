import { DataSource } from 'typeorm';
import { jobsOf } from '../../src/common/jobs/periodic-job';
import { Transactions } from '../../src/database/transactions';
import { InstanceRegistry } from '../../src/people/presence/instance-registry';
import { PresencePoller } from '../../src/people/presence/presence-poller';
import { PresenceWriter } from '../../src/people/presence/presence-writer';
import { newUserIds } from '../support/calls';
import { stopJobs } from '../support/jobs';
import { ChatUser } from '../support/messaging';
import { block, presenceOf } from '../support/people';
import { offline, online, presenceItemsOf, PresenceFixture } from '../support/presence-fixture';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { redisIsAvailable, ThrowawayRedis } from '../support/throwaway-redis';

describe.each([['with Redis'], ['without Redis']])('Presence on two instances %s', (title) => {
  const withRedis = title === 'with Redis' && redisIsAvailable();
  let redis: ThrowawayRedis | undefined;
  let here: TestApp;
  let there: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  const people = new PresenceFixture();
  beforeAll(async () => {
    redis = withRedis ? await ThrowawayRedis.start() : undefined;
    const env = redis === undefined ? {} : { REDIS_URL: redis.url };
    here = await createTestApp({ env });
    there = await createTestApp({ env, database: here.database, clock: here.clock });
    for (const { app } of [here, there]) {
      // Writes are triggered by the test; polls of the other instance's rows run by themselves.
      for (const job of jobsOf(app.get(PresenceWriter))) await job.stop();
      await app.listen(0, '127.0.0.1');
    }
  });
  beforeEach(async () => {
    here.clock.set(START);
    [ann, ben] = (await ChatUser.signInAll(here.api, newUserIds(2))) as [ChatUser, ChatUser];
    await ann.openSingle(ben.id);
  });
  afterEach(() => people.close());
  afterAll(async () => {
    await there?.close();
    await here?.close();
    await redis?.stop();
  });

  it('is online with one of three streams on either, and offline ten seconds after the last', async () => {
    const presence = await people.watch(here, ann.id, `user_ids=${ben.id}`);
    await presence.atLeast(1);
    const streams = [
      await people.connect(there, ben.id),
      await people.connect(there, ben.id),
      await people.connect(here, ben.id),
    ] as const;
    await presence.atLeast(2);
    await people.disconnect(there, streams[0]);
    await people.disconnect(there, streams[1]);
    await people.advance(60, here, there);
    expect(await presenceOf(ann.api, ben.id)).toEqual([online(ben.id)]);
    await people.disconnect(here, streams[2]);
    await people.advance(9, here, there);
    expect(presenceItemsOf(presence)).toEqual([offline(ben.id), online(ben.id)]);
    here.clock.advance(1);
    await presence.atLeast(3);
    expect(presenceItemsOf(presence)).toEqual([
      offline(ben.id),
      online(ben.id),
      offline(ben.id, '2026-01-31T08:01:00.000Z'),
    ]);
  });

  it('moves from one to the other without a frame', async () => {
    const presence = await people.watch(here, ann.id, `user_ids=${ben.id}`);
    const before = await people.connect(here, ben.id);
    await presence.atLeast(2);
    await people.disconnect(here, before);
    here.clock.advance(5);
    await people.connect(there, ben.id);
    await people.advance(60, here, there);
    await block(await there.api.as({ id: ben.id }), ann.id);
    await presence.atLeast(3);
    expect(presenceItemsOf(presence)).toEqual([offline(ben.id), online(ben.id), offline(ben.id)]);
  });

  it('reaches the other after delayed and retried writes', async () => {
    const presence = await people.watch(here, ann.id, `user_ids=${ben.id}`);
    await presence.atLeast(1);
    const looks = here.app.get(PresencePoller);
    await looks.tick();
    const later = async (seconds: number): Promise<void> => {
      here.clock.advance(seconds);
      await looks.tick();
    };
    const transactions = there.app.get(Transactions);
    const run = transactions.run.bind(transactions);
    const rows = there.app.get(InstanceRegistry);
    const write = rows.write.bind(rows);
    const writing = jest.spyOn(rows, 'write').mockImplementation(async (...streams) => {
      const waiting = jest.spyOn(transactions, 'run').mockImplementation(async (work, options) => {
        // The time after a failed first attempt.
        await later(6);
        return run(async (em) => {
          const result = await work(em);
          await later(12);
          return result;
        }, options);
      });
      const written = write(...streams);
      // Only this transaction waits, not one that a job of the instance begins meanwhile.
      waiting.mockRestore();
      await written;
    });
    await people.connect(there, ben.id);
    writing.mockRestore();
    for (let tick = 0; tick < 5; tick += 1) await looks.tick();
    await presence.atLeast(2);
    expect(presenceItemsOf(presence)).toEqual([offline(ben.id), online(ben.id)]);
  });

  it('applies hiding and blocks of the other, for watchers on both', async () => {
    await people.connect(here, ben.id);
    await people.connect(there, ann.id);
    const [annWatcher, benWatcher] = [
      await people.watch(here, ann.id, `user_ids=${ben.id}`),
      await people.watch(here, ben.id, `user_ids=${ann.id}`),
    ];
    await annWatcher.atLeast(1);
    await benWatcher.atLeast(1);
    await (await there.api.as({ id: ben.id })).put('/api/auth/me', { presence_visible: false });
    await annWatcher.atLeast(2);
    await benWatcher.atLeast(2);
    expect([presenceItemsOf(annWatcher), presenceItemsOf(benWatcher)]).toEqual([
      [online(ben.id), offline(ben.id)],
      [online(ann.id), offline(ann.id)],
    ]);
  });

  it('ends twenty seconds after the last heartbeat of a killed instance', async () => {
    const dead = `dead-${title}`;
    const [renewed, opened] = ['2026-01-31 08:00:02.000', '2026-01-31 08:00:00.000'];
    await here.query(`INSERT INTO instances (id, renewed_at) VALUES ('${dead}', '${renewed}')`);
    await here.query(
      `INSERT INTO presence_streams (user_id, instance_id, since, until) VALUES (${ben.id}, '${dead}', '${opened}', NULL)`,
    );
    await here.query(
      `INSERT INTO presence (user_id, changed_at, version) VALUES (${ben.id}, '${opened}', 1)`,
    );
    const presence = await people.watch(here, ann.id, `user_ids=${ben.id}`);
    await presence.atLeast(1);
    await people.advance(21.9, here, there);
    expect(presenceItemsOf(presence)).toEqual([online(ben.id)]);
    here.clock.advance(5);
    await Promise.all([people.runJobs(here), people.runJobs(there)]);
    await presence.atLeast(2);
    const gone = offline(ben.id, '2026-01-31T08:00:02.000Z');
    expect(presenceItemsOf(presence)).toEqual([online(ben.id), gone]);
    expect(await presenceOf(ann.api, ben.id)).toEqual([gone]);
    expect(await here.query(`SELECT * FROM instances WHERE id = '${dead}'`)).toEqual([]);
    expect(await here.query(`SELECT * FROM presence_streams WHERE instance_id = '${dead}'`)).toEqual([]);
  });

  it('is restored for an instance that was considered dead', async () => {
    await people.connect(there, ben.id);
    // The instance did not run for an hour, so the other one removes it.
    await here.query("UPDATE instances SET renewed_at = '2026-01-31 07:00:00.000'");
    here.clock.advance(6);
    await people.runJobs(here);
    expect((await presenceOf(ann.api, ben.id))[0]?.online).toBe(false);
    await people.runJobs(there);
    expect(await presenceOf(ann.api, ben.id)).toEqual([online(ben.id)]);
  });

  it('ends when an instance stops, except for users with other streams', async () => {
    const stopping = await createTestApp({ database: here.database, clock: here.clock });
    await stopping.app.listen(0, '127.0.0.1');
    const [cat] = (await ChatUser.signInAll(here.api, newUserIds(1))) as [ChatUser];
    await ann.openSingle(cat.id);
    await people.connect(stopping, ben.id);
    await people.connect(stopping, cat.id);
    await people.advance(60, here, there, stopping);
    await stopping.close();
    await people.connect(there, cat.id);
    await people.advance(10, here, there);
    expect(await presenceOf(ann.api, ben.id, cat.id)).toEqual([
      offline(ben.id, '2026-01-31T08:01:00.000Z'),
      online(cat.id),
    ]);
  });

  if (withRedis)
    it('is polled within seconds while Redis hangs', async () => {
      const presence = await people.watch(here, ann.id, `user_ids=${ben.id}`);
      await presence.atLeast(1);
      redis?.freeze();
      try {
        await people.connect(there, ben.id);
        await presence.atLeast(2);
        expect(presenceItemsOf(presence)).toEqual([offline(ben.id), online(ben.id)]);
      } finally {
        redis?.thaw();
      }
    });
});

describe('Presence under load', () => {
  it('writes any number of changes in batches', async () => {
    const test = await createTestApp();
    await stopJobs(test);
    const people = new PresenceFixture();
    try {
      await test.app.listen(0, '127.0.0.1');
      const ids = newUserIds(150);
      await ChatUser.signInAll(test.api, ids);
      const manager = jest.spyOn(DataSource.prototype, 'transaction');
      // No stream is written within its first second.
      await Promise.all(ids.map((id) => people.openStream(test, id)));
      const before = manager.mock.calls.length;
      await people.runJobs(test);
      const transactions = manager.mock.calls.length - before;
      manager.mockRestore();
      expect(transactions).toBeLessThanOrEqual(8);
      const rows = 'SELECT COUNT(*) AS n FROM presence_streams WHERE until IS NULL';
      expect(await test.query(rows)).toEqual([{ n: 150 }]);
    } finally {
      people.close();
      await test.close();
    }
  });
});
