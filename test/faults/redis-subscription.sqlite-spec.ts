import type Redis from 'ioredis';
import { createRedisClient } from '../../src/redis/redis-client';
import { ServerPubSub } from '../../src/redis/server-pub-sub';
import { ThrowawayRedis } from '../support/throwaway-redis';
import { eventually } from '../support/waiting';

describe('A Redis subscription', () => {
  let redis: ThrowawayRedis;
  let client: Redis;
  let subscription: ServerPubSub;
  let received: string[];
  beforeAll(async () => {
    redis = await ThrowawayRedis.start();
    client = createRedisClient({ kind: 'server', url: redis.url }) as Redis;
    client.on('error', () => undefined);
    await client.connect();
    received = [];
    const listener = { onMessage: (text: string) => received.push(text), onSubscribed: () => undefined };
    subscription = new ServerPubSub(client, ['events'], listener);
  });
  afterAll(async () => {
    subscription?.close();
    client?.disconnect();
    await redis?.stop();
  });

  const untilSubscribed = (expected: boolean): Promise<boolean> =>
    eventually(
      async () => subscription.isSubscribed,
      (isSubscribed) => isSubscribed === expected,
    );

  it('notices a server that hangs, although it sends no commands, and subscribes again', async () => {
    expect(await untilSubscribed(true)).toBe(true);
    redis.freeze();
    expect(await untilSubscribed(false)).toBe(false);
    redis.thaw();
    expect(await untilSubscribed(true)).toBe(true);
    // The publisher's connection may still be replaced.
    await eventually(
      async () => {
        subscription.publish('events', 'hello');
        return received;
      },
      ({ length }) => length > 0,
    );
    expect(received[0]).toBe('hello');
  });
});
