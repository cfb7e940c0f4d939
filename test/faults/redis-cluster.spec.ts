import { Clock } from '../../src/common/clock';
import { Health } from '../../src/common/health/health';
import { Metrics } from '../../src/common/metrics';
import { EnvReader } from '../../src/config/env-reader';
import { readRedis } from '../../src/config/redis-config';
import { RedisChannel } from '../../src/events/live/redis-channel';
import type { InstanceMessage } from '../../src/events/live/instance-message';
import { userLog } from '../../src/events/log/log-id';
import { RateCounters } from '../../src/rate-limit/rate-counters';
import { RedisConnection } from '../../src/redis/redis-connection';
import { Workers } from '../../src/workers/workers';
import { FaultHarness } from '../support/fault-harness';
import { ThrowawayCluster } from '../support/redis-installations';
import { eventually } from '../support/waiting';

/** Without these commands a node of the cluster has no sharded channels, as before Redis 7. */
const WITHOUT_SHARDED = ['--rename-command', 'SSUBSCRIBE', '', '--rename-command', 'SPUBLISH', ''];

/** The parts of an instance that use Redis. */
class Instance {
  readonly redis: RedisConnection;
  readonly channel: RedisChannel;
  readonly counters: RateCounters;
  readonly received: InstanceMessage[] = [];

  constructor(url: string) {
    const clock = new Clock();
    const redis = readRedis(new EnvReader({ REDIS_URL: url }));
    this.redis = new RedisConnection({ redis }, new Metrics(), new Health(clock), clock);
    this.channel = new RedisChannel(this.redis, new Workers());
    this.counters = new RateCounters(this.redis, new Workers(), clock);
    this.channel.open(
      (message) => this.received.push(message),
      () => undefined,
    );
  }

  async untilReady(): Promise<void> {
    await eventually(
      async () => this.channel.isSubscribed && this.redis.client?.status === 'ready',
      (isReady) => isReady,
    );
  }

  close(): void {
    this.channel.close();
    this.redis.onApplicationShutdown();
  }
}

describe.each<[string, readonly string[]]>([
  ['with sharded channels', []],
  ['without sharded channels', WITHOUT_SHARDED],
])('Two instances on a cluster %s', (_title, settings) => {
  let cluster: ThrowawayCluster;
  let one: Instance;
  let two: Instance;
  beforeAll(async () => {
    cluster = await ThrowawayCluster.start(settings);
    one = new Instance(cluster.url);
    two = new Instance(cluster.url);
    await Promise.all([one.untilReady(), two.untilReady()]);
  });
  afterAll(async () => {
    one?.close();
    two?.close();
    await cluster?.stop();
  });

  it('receive messages of every channel from each other', async () => {
    const logs = Array.from({ length: 256 }, (_, index) => userLog(index + 1));
    for (const log of logs) one.channel.publish({ logs: [log] });
    const received = await eventually(
      async () => two.received.flatMap((message) => ('logs' in message ? message.logs : [])),
      ({ length }) => length === 256,
    );
    expect(received.toSorted((a, b) => a - b)).toEqual(logs);
  });

  it('share the rate limits of every key', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `user:${index}`);
    for (const key of keys) expect((await one.counters.hit(key, 60)).count).toBe(1);
    for (const key of keys) expect((await two.counters.hit(key, 60, 2)).count).toBe(3);
    expect((await one.counters.read('user:7')).count).toBe(3);
  });
});

describe('A cluster under load, of which a master is killed', () => {
  let cluster: ThrowawayCluster;
  let fixture: FaultHarness;
  beforeAll(async () => {
    cluster = await ThrowawayCluster.start();
    fixture = await FaultHarness.open({
      instances: 2,
      env: { REDIS_URL: cluster.url, RATE_LIMIT_PER_MINUTE: '1000000' },
    });
  });
  afterAll(async () => {
    await fixture?.close();
    await cluster?.stop();
  });

  const untilSubscribed = () =>
    eventually(
      () =>
        cluster.sum(async (client) => {
          const channels = (await client.pubsub('SHARDCHANNELS')) as string[];
          const counts = await client.pubsub('SHARDNUMSUB', ...channels);
          return counts.filter(Number).reduce<number>((all, n) => all + Number(n), 0);
        }),
      (subscriptions) => subscriptions === 512,
    );

  it('readiness follows, every request succeeds, nothing is lost, and all channels are subscribed again', async () => {
    await fixture.underLoad(async () => {
      await untilSubscribed();
      await fixture.untilAcknowledged(20);
      await cluster.masters[1]?.stop();
      expect(await fixture.untilReadiness((status) => status === 503)).toEqual([
        503,
        { database: 'up', redis: 'down' },
      ]);
      await fixture.untilAcknowledged(40);
      await cluster.restart(1);
      expect(await fixture.untilReadiness((status) => status === 200)).toEqual([
        200,
        { database: 'up', redis: 'up' },
      ]);
      await untilSubscribed();
      await fixture.untilAcknowledged(20);
    });
    expect(fixture.client.failures).toBe(0);
    await fixture.check();
  });
});
