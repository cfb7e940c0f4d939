import { FaultScene } from '../support/fault-scene';
import { redisIsAvailable, ThrowawayRedis } from '../support/throwaway-redis';

const KILLS = 6;

describe('Two instances under mixed load', () => {
  let redis: ThrowawayRedis | undefined;
  let scene: FaultScene;
  beforeAll(async () => {
    redis = redisIsAvailable() ? await ThrowawayRedis.start() : undefined;
    scene = await FaultScene.open({ instances: 2, env: redis && { REDIS_URL: redis.url } });
  });
  afterAll(async () => {
    await scene?.close();
    await redis?.stop();
  });

  it('one or the other killed again and again: clients that repeat themselves do nothing twice', async () => {
    let kills = 0;
    await scene.duringLoad(async () => {
      for (; kills < KILLS; kills += 1) {
        await scene.acknowledges(60);
        await scene.replace(kills % 2);
      }
    });
    expect(kills).toBe(6);
    expect(scene.client.failures).toBeGreaterThanOrEqual(6);
    await scene.check();
  });
});
