import type { AddressInfo } from 'node:net';
import { StreamRegistry } from '../../src/events/live/stream-registry';
import { newUserIds } from '../support/calls';
import { EventReader } from '../support/event-reader';
import { createTestApp, type TestApp } from '../support/test-app';

describe('The limits of event streams', () => {
  let test: TestApp;
  let url: string;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(test.app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => test?.close());
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  const open = async (options: Parameters<typeof EventReader.open>[1]): Promise<EventReader> => {
    const reader = await EventReader.open(url, options);
    readers.push(reader);
    return reader;
  };
  const streamsOf = (userId: number): number => test.app.get(StreamRegistry).streamsOf(userId).length;

  describe('for a user’s twenty-first stream', () => {
    it('end the oldest, one for each new stream', async () => {
      const [userId = 0] = newUserIds(1);
      const own: EventReader[] = [];
      for (let count = 0; count < 20; count += 1) own.push(await open({ userId }));
      expect(streamsOf(userId)).toBe(20);
      await open({ userId });
      await own[0]?.ended;
      await open({ userId });
      await own[1]?.ended;
      expect(streamsOf(userId)).toBe(20);
      const ended = await Promise.all(own.map((reader) => isOver(reader)));
      expect(ended.filter(Boolean)).toHaveLength(2);
    });

    it('do not affect other users', async () => {
      const [userId = 0, other = 0] = newUserIds(2);
      const others = await open({ userId: other });
      for (let count = 0; count < 21; count += 1) await open({ userId });
      expect([streamsOf(userId), streamsOf(other)]).toEqual([20, 1]);
      expect(await isOver(others)).toBe(false);
    });

    it('end the oldest also when its client reads nothing', async () => {
      const [userId = 0] = newUserIds(1);
      const oldest = await open({ userId });
      oldest.response.pause();
      for (let count = 0; count < 20; count += 1) await open({ userId });
      expect(streamsOf(userId)).toBe(20);
      oldest.response.resume();
      await oldest.ended;
    });
  });
});

/** Whether a stream has ended; false if it only received a comment or an event. */
const isOver = (reader: EventReader): Promise<boolean> =>
  Promise.race([reader.ended.then(() => true), new Promise<boolean>((is) => setImmediate(() => is(false)))]);
