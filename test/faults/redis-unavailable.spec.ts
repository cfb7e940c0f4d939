import { FaultHarness } from '../support/fault-harness';
import { ThrowawayRedis } from '../support/throwaway-redis';
import { timingEnvironment } from '../support/timings';

describe('Redis under load', () => {
  let redis: ThrowawayRedis;
  let fixture: FaultHarness;
  beforeAll(async () => {
    redis = await ThrowawayRedis.start();
    // With a rate limit every request uses Redis.
    fixture = await FaultHarness.open({
      env: {
        REDIS_URL: redis.url,
        RATE_LIMIT_PER_MINUTE: '1000000',
        ...timingEnvironment({ shutdownWithinMs: 1_000 }),
      },
    });
  });
  afterAll(async () => {
    await redis?.stop();
    await fixture?.close();
  });

  it.each<[string, () => Promise<void> | void, () => Promise<void> | void]>([
    ['stopped', () => redis.stop(), async () => void (redis = await ThrowawayRedis.start(redis.port))],
    ['hanging', () => redis.freeze(), () => redis.thaw()],
  ])(
    '%s: readiness follows, every request succeeds, and nothing is lost',
    async (_what, takeAway, bringBack) => {
      await fixture.underLoad(async () => {
        await fixture.untilAcknowledged(20);
        await takeAway();
        expect(await fixture.untilReadiness((status) => status === 503)).toEqual([
          503,
          { database: 'up', redis: 'down' },
        ]);
        await fixture.untilAcknowledged(40);
        await bringBack();
        expect(await fixture.untilReadiness((status) => status === 200)).toEqual([
          200,
          { database: 'up', redis: 'up' },
        ]);
        await fixture.untilAcknowledged(20);
      });
      expect(fixture.client.failures).toBe(0);
      await fixture.check();
    },
  );

  it('hanging: the service still stops on SIGTERM, with exit code 0', async () => {
    redis.freeze();
    expect((await fixture.service.send(999, 'GET', '/api/calls/active')).code).toBe(0);
    expect(await fixture.service.stop()).toBe(0);
  });
});
