import type { AddressInfo } from 'node:net';
import { StreamRegistry } from '../../src/events/live/stream-registry';
import { RedisConnection } from '../../src/redis/redis-connection';
import { newUserIds } from '../support/calls';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { EventReader } from '../support/event-reader';
import { ChatUser } from '../support/messaging';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';
import { redisIsAvailable, ThrowawayRedis } from '../support/throwaway-redis';

/* Polling is disabled, so that received events were announced. */

const INSTANCES = redisIsAvailable() ? ['the same instance', 'another instance'] : ['the same instance'];

describe.each(INSTANCES)('Clients with a stream on %s receive', (place) => {
  let database: TestDatabase;
  let redis: ThrowawayRedis | undefined;
  let apps: TestApp[];
  let test: TestApp;
  let url: string;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    database = await createMigratedDatabase();
    redis = place === 'another instance' ? await ThrowawayRedis.start() : undefined;
    const env = redis && { REDIS_URL: redis.url };
    apps = [];
    for (let count = redis ? 2 : 1; count > 0; count -= 1) apps.push(await createTestApp({ database, env }));
    for (const { app } of apps) {
      jest.spyOn(app.get(StreamRegistry), 'poll').mockResolvedValue();
      await app.listen(0, '127.0.0.1');
    }
    [test] = apps as [TestApp];
    if (redis) await eventually(subscribers, (count) => count === apps.length);
    const listening = apps.at(-1)?.app.getHttpServer().address() as AddressInfo;
    url = `http://127.0.0.1:${listening.port}`;
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    for (const app of apps ?? []) await app.close();
    await redis?.stop();
    await database?.drop();
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  const subscribers = async (): Promise<number> => {
    const { client } = test.app.get(RedisConnection);
    // No client is connected yet.
    const counts = await client?.pubsub('NUMSUB', 'callboard:events:0').catch(() => []);
    return Number(counts?.[1] ?? 0);
  };
  const listen = async ({ id: userId }: ChatUser): Promise<EventReader> => {
    const reader = await EventReader.open(url, { userId });
    readers.push(reader);
    return reader;
  };
  const crowd = (count: number): Promise<ChatUser[]> => ChatUser.signInAll(test.api, newUserIds(count));

  it('the first message immediately after a group has outgrown the fan-out limit', async () => {
    const [ann, ben, ...others] = (await crowd(202)) as [ChatUser, ChatUser, ...ChatUser[]];
    const group = await ann.createGroup([ben.id]);
    const streams = [await listen(ben), await listen(others[0] as ChatUser)];
    await ann.add(group, ...others.map(({ id }) => id));
    for (const stream of streams) await stream.until(() => stream.types.at(-1) === 'conversation.updated');
    await ann.send(group, 'first');
    for (const stream of streams) {
      await stream.until(() => stream.types.at(-1) === 'message.created');
      expect(stream.frames.at(-1)).toMatchObject({ data: { message: { content: 'first' } } });
      expect(stream.frames.at(-1)).not.toHaveProperty('id');
    }
  });

  it('the first message of a group created above the limit', async () => {
    const [ann, ben, ...others] = (await crowd(201)) as [ChatUser, ChatUser, ...ChatUser[]];
    const stream = await listen(ben);
    const group = await ann.createGroup([ben, ...others].map(({ id }) => id));
    await stream.atLeast(1);
    await ann.send(group, 'first');
    await stream.atLeast(2);
    expect(stream.types).toEqual(['conversation.updated', 'message.created']);
  });
});
