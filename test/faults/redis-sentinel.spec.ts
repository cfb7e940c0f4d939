import { FaultHarness } from '../support/fault-harness';
import { onServer, ThrowawaySentinel } from '../support/redis-installations';
import type { ThrowawayRedis } from '../support/throwaway-redis';
import { eventually } from '../support/waiting';

describe('Redis by Sentinel, whose master is', () => {
  let sentinel: ThrowawaySentinel;
  let fixture: FaultHarness;
  beforeAll(async () => {
    sentinel = await ThrowawaySentinel.start();
    fixture = await FaultHarness.open({
      instances: 2,
      env: { REDIS_URL: sentinel.url, RATE_LIMIT_PER_MINUTE: '1000000' },
    });
  });
  afterAll(async () => {
    await fixture?.close();
    await sentinel?.stop();
  });

  /** Waits until both instances are subscribed at the master, and returns it. */
  const subscribedMaster = async (isWanted: (port: number) => boolean): Promise<number> => {
    const [port] = await eventually(
      async () => {
        const master = await sentinel.master();
        const ask = onServer(master.port, (client) => client.pubsub('NUMSUB', 'callboard:events:255'));
        const reply = await ask.catch(() => []);
        return [master.port, Number(reply[1])] as const;
      },
      ([port, subscribers]) => isWanted(port) && subscribers === 2,
    );
    return port;
  };

  it.each<[string, (master: ThrowawayRedis) => unknown, (master: ThrowawayRedis) => unknown]>([
    ['killed', (master) => master.stop(), (master) => sentinel.restart(master)],
    ['hanging', (master) => master.freeze(), (master) => master.thaw()],
  ])(
    '%s: the instances connect to the new master, every request succeeds, and nothing is lost',
    async (_what, takeAway, bringBack) => {
      await sentinel.untilReplicated();
      await fixture.underLoad(async () => {
        const before = await subscribedMaster(() => true);
        await fixture.untilAcknowledged(20);
        const master = await sentinel.master();
        await takeAway(master);
        await subscribedMaster((port) => port !== before);
        expect(await fixture.untilReadiness((status) => status === 200)).toEqual([
          200,
          { database: 'up', redis: 'up' },
        ]);
        await fixture.untilAcknowledged(20);
        await bringBack(master);
      });
      expect(fixture.client.failures).toBe(0);
      await fixture.check();
    },
  );
});
