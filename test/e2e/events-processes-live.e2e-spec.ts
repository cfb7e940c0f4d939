import { newUserIds } from '../support/calls';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { EventReader } from '../support/event-reader';
import { ServiceProcess } from '../support/service-process';
import { redisIsAvailable, ThrowawayRedis } from '../support/throwaway-redis';

const BASE = '/api/messages/conversations';

describe.each([['with Redis'], ['without Redis']])('Streams on another instance %s', (title) => {
  const withRedis = title === 'with Redis' && redisIsAvailable();
  const [adminId = 0, ann = 0, ben = 0, cat = 0, ...crowd] = newUserIds(206);
  let database: TestDatabase;
  let redis: ThrowawayRedis | undefined;
  let a: ServiceProcess;
  let b: ServiceProcess;
  let group: number;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    database = await createMigratedDatabase();
    redis = withRedis ? await ThrowawayRedis.start() : undefined;
    [a, b] = await Promise.all([start(), start()]);
    for (const id of [adminId, ann, ben, cat, ...crowd]) await b.send(id, 'GET', '/api/calls/active');
    const body = { type: 'group', name: 'Large', member_ids: [ben, ...crowd] };
    group = (await b.send(ann, 'POST', BASE, body)).data.id;
  });
  afterAll(async () => {
    await Promise.all([a?.kill(), b?.kill(), redis?.stop()]);
    await database?.drop();
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  const start = (): Promise<ServiceProcess> =>
    ServiceProcess.start(database.url, redis && { REDIS_URL: redis.url });
  const listen = async (to: ServiceProcess, userId: number): Promise<EventReader> => {
    const reader = await EventReader.open(to.url, { userId });
    readers.push(reader);
    return reader;
  };
  const say = (on: ServiceProcess, from: number, content: string) =>
    on.send(from, 'POST', `${BASE}/${group}/messages`, { type: 'text', content });
  const received = ({ frames }: EventReader): string[] =>
    frames.filter(({ event }) => event === 'message.created').map(({ data }) => data.message.content);
  /** Returns the contents of the messages after a message. */
  const saidAfter = async (on: ServiceProcess, messageId: number): Promise<string[]> => {
    const path = `${BASE}/${group}/messages?per_page=100&mark_read=0&after_id=${messageId}`;
    const items: { id: number; content: string }[] = (
      await on.send(ann, 'GET', path)
    ).data.items.toReversed();
    const last = items.at(-1);
    const said = items.map(({ content }) => content);
    return last === undefined ? [] : [...said, ...(await saidAfter(on, last.id))];
  };
  const asAdmin = (on: ServiceProcess, method: string, path: string, body: object) =>
    on.send(adminId, method, path, body, 'admin');

  it('receive messages of a large group in the member’s view, without a cursor', async () => {
    const [onA, onB] = [await listen(a, ben), await listen(b, ann)];
    await say(b, ann, 'from B');
    await onA.atLeast(1);
    await say(a, ben, 'from A');
    for (const reader of [onA, onB]) {
      await reader.until(() => received(reader).length === 2);
      expect(received(reader)).toEqual(['from B', 'from A']);
    }
    const [first] = onA.frames;
    expect(first).toMatchObject({
      data: { conversation_id: group, unread_count: 1, message: { is_self: false } },
    });
    expect(first).not.toHaveProperty('id');
  });

  it('of members who are added and removed on the other instance', async () => {
    const reader = await listen(a, cat);
    await b.send(ann, 'POST', `${BASE}/${group}/members`, { user_ids: [cat] });
    await reader.until(() => reader.types.includes('conversation.updated'));
    await say(b, ann, 'welcome');
    await reader.until(() => received(reader).length === 1);
    await b.send(ann, 'DELETE', `${BASE}/${group}/members/${cat}`);
    await say(b, ann, 'among us');
    await reader.until(() => reader.types.includes('conversation.left'));
    expect(received(reader)).toEqual(['welcome']);
  });

  it('receive exactly the stored events when the other instance is killed during a burst', async () => {
    const { id: before } = (await say(b, ann, 'before')).data;
    const reader = await listen(a, ben);
    let count = 0;
    const burst = (async () => {
      for (;;) await say(b, ann, `burst ${(count += 1)}`);
    })().catch(() => undefined);
    await reader.until(() => received(reader).length >= 20);
    await b.kill();
    await burst;
    b = await start();
    await say(b, ann, 'last');
    await reader.until(() => received(reader).at(-1) === 'last');
    expect(received(reader)).toEqual(await saidAfter(b, before));
  });

  if (withRedis)
    it('receive read receipts of a small group once', async () => {
      const body = { type: 'group', name: 'Small', member_ids: [ben, cat] };
      const small: number = (await b.send(ann, 'POST', BASE, body)).data.id;
      const streams = [await listen(a, ann), await listen(b, ann)];
      const send = (content: string) =>
        b.send(ann, 'POST', `${BASE}/${small}/messages`, { type: 'text', content });
      await send('hello');
      await b.send(ben, 'POST', `${BASE}/${small}/read`, {});
      for (const stream of streams) await stream.until(() => stream.types.includes('conversation.read'));
      await send('done');
      for (const stream of streams) {
        await stream.until(() => received(stream).includes('done'));
        const reads = stream.frames.filter(({ event }) => event === 'conversation.read');
        expect(reads).toMatchObject([{ data: { conversation_id: small, user_id: ben, unread_count: null } }]);
        expect(reads[0]).not.toHaveProperty('id');
      }
    });

  if (withRedis)
    it('receive everything when Redis is killed and restarted', async () => {
      const reader = await listen(a, ben);
      await say(b, ann, 'one');
      await redis?.stop();
      await say(b, ann, 'two');
      await reader.until(() => received(reader).length === 2);
      redis = await ThrowawayRedis.start(redis?.port);
      await say(b, ann, 'three');
      await reader.until(() => received(reader).length === 3);
      expect(received(reader)).toEqual(['one', 'two', 'three']);
    });

  it('receive broadcasts once per terminal, on either instance', async () => {
    const streams = [await listen(a, ben), await listen(b, ben), await listen(a, cat)];
    const body = { broadcast: true, type: 'news', title: 'To all', content: 'C' };
    expect((await asAdmin(b, 'POST', '/api/admin/notifications', body)).code).toBe(0);
    for (const stream of streams) await stream.until(() => stream.types.includes('notification.created'));
    await say(b, ann, 'done');
    for (const stream of streams.slice(0, 2)) {
      await stream.until(() => received(stream).includes('done'));
      expect(stream.types).toEqual(['notification.created', 'message.created']);
    }
  });

  it('are closed when the user is disabled on the other instance', async () => {
    const [last = 0] = crowd;
    const reader = await listen(a, last);
    await asAdmin(b, 'PUT', `/api/admin/users/${last}`, { status: 0 });
    await reader.ended;
    expect((await a.send(ann, 'GET', '/api/calls/active')).code).toBe(0);
  });
});
