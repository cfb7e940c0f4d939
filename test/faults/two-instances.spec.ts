import { FaultHarness } from '../support/fault-harness';
import { redisIsAvailable, ThrowawayRedis } from '../support/throwaway-redis';

const KILLS = 6;

describe('Two instances under mixed load', () => {
  let redis: ThrowawayRedis | undefined;
  let fixture: FaultHarness;
  beforeAll(async () => {
    redis = redisIsAvailable() ? await ThrowawayRedis.start() : undefined;
    fixture = await FaultHarness.open({ instances: 2, env: redis && { REDIS_URL: redis.url } });
  });
  afterAll(async () => {
    await fixture?.close();
    await redis?.stop();
  });

  it('that are killed repeatedly: retrying clients create nothing twice', async () => {
    let kills = 0;
    await fixture.underLoad(async () => {
      for (; kills < KILLS; kills += 1) {
        await fixture.untilAcknowledged(60);
        await fixture.replace(kills % 2);
      }
    });
    expect(kills).toBe(6);
    expect(fixture.client.failures).toBeGreaterThanOrEqual(6);
    await fixture.check();
  });
});
