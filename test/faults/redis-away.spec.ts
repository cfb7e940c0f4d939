import { FaultScene } from '../support/fault-scene';
import { ThrowawayRedis } from '../support/throwaway-redis';
import { timingEnvironment } from '../support/timings';

describe('Redis under load', () => {
  let redis: ThrowawayRedis;
  let scene: FaultScene;
  beforeAll(async () => {
    redis = await ThrowawayRedis.start();
    // With a limit on the rate every request asks Redis.
    scene = await FaultScene.open({
      env: {
        REDIS_URL: redis.url,
        RATE_LIMIT_PER_MINUTE: '1000000',
        ...timingEnvironment({ shutdownWithinMs: 1_000 }),
      },
    });
  });
  afterAll(async () => {
    await redis?.stop();
    await scene?.close();
  });

  it.each<[string, () => Promise<void> | void, () => Promise<void> | void]>([
    ['stopped', () => redis.stop(), async () => void (redis = await ThrowawayRedis.start(redis.port))],
    ['hanging', () => redis.freeze(), () => redis.thaw()],
  ])(
    '%s: readiness follows, every request is answered as ever, and nothing is lost',
    async (_what, takeAway, bringBack) => {
      await scene.duringLoad(async () => {
        await scene.acknowledges(20);
        await takeAway();
        expect(await scene.readiness((status) => status === 503)).toEqual([
          503,
          { database: 'up', redis: 'down' },
        ]);
        await scene.acknowledges(40);
        await bringBack();
        expect(await scene.readiness((status) => status === 200)).toEqual([
          200,
          { database: 'up', redis: 'up' },
        ]);
        await scene.acknowledges(20);
      });
      expect(scene.client.failures).toBe(0);
      await scene.check();
    },
  );

  it('hanging: SIGTERM still ends the service, with exit code 0', async () => {
    redis.freeze();
    expect((await scene.service.send(999, 'GET', '/api/calls/active')).code).toBe(0);
    expect(await scene.service.stop()).toBe(0);
  });
});
