import { DataSource } from 'typeorm';
import { jobsOf } from '../../src/common/jobs/periodic-job';
import { Transactions } from '../../src/database/transactions';
import { InstanceRegistry } from '../../src/people/presence/instance-registry';
import { PresencePoller } from '../../src/people/presence/presence-poller';
import { PresenceWriter } from '../../src/people/presence/presence-writer';
import { newUserIds } from '../support/calls';
import { stopJobs } from '../support/jobs';
import { Chatter } from '../support/messaging';
import { block, presenceOf } from '../support/people';
import { offline, online, saidBy, Watching } from '../support/presence';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { redisIsAvailable, ThrowawayRedis } from '../support/throwaway-redis';

describe.each([['with Redis'], ['without Redis']])('Who is there, on two instances %s,', (title) => {
  const withRedis = title === 'with Redis' && redisIsAvailable();
  let redis: ThrowawayRedis | undefined;
  let here: TestApp;
  let there: TestApp;
  let ann: Chatter;
  let ben: Chatter;
  const people = new Watching();
  beforeAll(async () => {
    redis = withRedis ? await ThrowawayRedis.start() : undefined;
    const env = redis === undefined ? {} : { REDIS_URL: redis.url };
    here = await createTestApp({ env });
    there = await createTestApp({ env, database: here.database, clock: here.clock });
    for (const { app } of [here, there]) {
      // They write when `people` make them, and look at what the other has written by themselves.
      for (const job of jobsOf(app.get(PresenceWriter))) await job.stop();
      await app.listen(0, '127.0.0.1');
    }
  });
  beforeEach(async () => {
    here.clock.set(START);
    [ann, ben] = (await Chatter.meetAll(here.api, newUserIds(2))) as [Chatter, Chatter];
    await ann.openSingle(ben.id);
  });
  afterEach(() => people.close());
  afterAll(async () => {
    await there?.close();
    await here?.close();
    await redis?.stop();
  });

  it('is who has one of three streams on either, and ten seconds later is not', async () => {
    const watching = await people.watch(here, ann.id, `user_ids=${ben.id}`);
    await watching.atLeast(1);
    const streams = [
      await people.come(there, ben.id),
      await people.come(there, ben.id),
      await people.come(here, ben.id),
    ] as const;
    await watching.atLeast(2);
    await people.leave(there, streams[0]);
    await people.leave(there, streams[1]);
    await people.wait(60, here, there);
    expect(await presenceOf(ann.api, ben.id)).toEqual([online(ben.id)]);
    await people.leave(here, streams[2]);
    await people.wait(9, here, there);
    expect(saidBy(watching)).toEqual([offline(ben.id), online(ben.id)]);
    here.clock.advance(1);
    await watching.atLeast(3);
    expect(saidBy(watching)).toEqual([
      offline(ben.id),
      online(ben.id),
      offline(ben.id, '2026-01-31T08:01:00.000Z'),
    ]);
  });

  it('moves from one to the other without a frame', async () => {
    const watching = await people.watch(here, ann.id, `user_ids=${ben.id}`);
    const before = await people.come(here, ben.id);
    await watching.atLeast(2);
    await people.leave(here, before);
    here.clock.advance(5);
    await people.come(there, ben.id);
    await people.wait(60, here, there);
    await block(await there.api.as({ id: ben.id }), ann.id);
    await watching.atLeast(3);
    expect(saidBy(watching)).toEqual([offline(ben.id), online(ben.id), offline(ben.id)]);
  });

  it('is told on the other however long the writing waits, and when it has to be done again', async () => {
    const watching = await people.watch(here, ann.id, `user_ids=${ben.id}`);
    await watching.atLeast(1);
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
        // A first attempt has failed.
        await later(6);
        return run(async (em) => {
          const result = await work(em);
          await later(12);
          return result;
        }, options);
      });
      await write(...streams);
      waiting.mockRestore();
    });
    await people.come(there, ben.id);
    writing.mockRestore();
    for (let tick = 0; tick < 5; tick += 1) await looks.tick();
    await watching.atLeast(2);
    expect(saidBy(watching)).toEqual([offline(ben.id), online(ben.id)]);
  });

  it('hides and blocks heard on the other, by watchers of both sides', async () => {
    await people.come(here, ben.id);
    await people.come(there, ann.id);
    const [annWatches, benWatches] = [
      await people.watch(here, ann.id, `user_ids=${ben.id}`),
      await people.watch(here, ben.id, `user_ids=${ann.id}`),
    ];
    await annWatches.atLeast(1);
    await benWatches.atLeast(1);
    await (await there.api.as({ id: ben.id })).put('/api/auth/me', { presence_visible: false });
    await annWatches.atLeast(2);
    await benWatches.atLeast(2);
    expect([saidBy(annWatches), saidBy(benWatches)]).toEqual([
      [online(ben.id), offline(ben.id)],
      [online(ann.id), offline(ann.id)],
    ]);
  });

  it('outlives nothing that dies: twenty seconds after its last sign its users are gone', async () => {
    const dead = `dead-${title}`;
    const [renewed, opened] = ['2026-01-31 08:00:02.000', '2026-01-31 08:00:00.000'];
    await here.query(`INSERT INTO instances (id, renewed_at) VALUES ('${dead}', '${renewed}')`);
    await here.query(
      `INSERT INTO presence_streams (user_id, instance_id, since, until) VALUES (${ben.id}, '${dead}', '${opened}', NULL)`,
    );
    await here.query(
      `INSERT INTO presence (user_id, changed_at, version) VALUES (${ben.id}, '${opened}', 1)`,
    );
    const watching = await people.watch(here, ann.id, `user_ids=${ben.id}`);
    await watching.atLeast(1);
    await people.wait(21.9, here, there);
    expect(saidBy(watching)).toEqual([online(ben.id)]);
    here.clock.advance(5);
    await Promise.all([people.pass(here), people.pass(there)]);
    await watching.atLeast(2);
    const gone = offline(ben.id, '2026-01-31T08:00:02.000Z');
    expect(saidBy(watching)).toEqual([online(ben.id), gone]);
    expect(await presenceOf(ann.api, ben.id)).toEqual([gone]);
    expect(await here.query(`SELECT * FROM instances WHERE id = '${dead}'`)).toEqual([]);
    expect(await here.query(`SELECT * FROM presence_streams WHERE instance_id = '${dead}'`)).toEqual([]);
  });

  it('comes back with an instance that was taken for dead', async () => {
    await people.come(there, ben.id);
    // It slept: the other one has buried it.
    await here.query("UPDATE instances SET renewed_at = '2026-01-31 07:00:00.000'");
    here.clock.advance(6);
    await people.pass(here);
    expect((await presenceOf(ann.api, ben.id))[0]?.online).toBe(false);
    await people.pass(there);
    expect(await presenceOf(ann.api, ben.id)).toEqual([online(ben.id)]);
  });

  it('leaves in order with an instance that stops, unless one goes on elsewhere', async () => {
    const stopping = await createTestApp({ database: here.database, clock: here.clock });
    await stopping.app.listen(0, '127.0.0.1');
    const [cat] = (await Chatter.meetAll(here.api, newUserIds(1))) as [Chatter];
    await ann.openSingle(cat.id);
    await people.come(stopping, ben.id);
    await people.come(stopping, cat.id);
    await people.wait(60, here, there, stopping);
    await stopping.close();
    await people.come(there, cat.id);
    await people.wait(10, here, there);
    expect(await presenceOf(ann.api, ben.id, cat.id)).toEqual([
      offline(ben.id, '2026-01-31T08:01:00.000Z'),
      online(cat.id),
    ]);
  });

  if (withRedis)
    it('is heard within seconds while Redis says nothing', async () => {
      const watching = await people.watch(here, ann.id, `user_ids=${ben.id}`);
      await watching.atLeast(1);
      redis?.freeze();
      try {
        await people.come(there, ben.id);
        await watching.atLeast(2);
        expect(saidBy(watching)).toEqual([offline(ben.id), online(ben.id)]);
      } finally {
        redis?.thaw();
      }
    });
});

describe('Presence in a storm', () => {
  it('writes many that come and go in batches, whatever their number', async () => {
    const test = await createTestApp();
    await stopJobs(test);
    const people = new Watching();
    try {
      await test.app.listen(0, '127.0.0.1');
      const ids = newUserIds(150);
      await Chatter.meetAll(test.api, ids);
      const manager = jest.spyOn(DataSource.prototype, 'transaction');
      // None of them is written before the second is over.
      await Promise.all(ids.map((id) => people.listen(test, id)));
      const before = manager.mock.calls.length;
      await people.pass(test);
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
