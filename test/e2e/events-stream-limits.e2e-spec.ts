import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamRegistry } from '../../src/events/live/stream-registry';
import { newUserIds } from '../support/calls';
import { EventReader } from '../support/event-reader';
import { createTestApp, type TestApp } from '../support/test-app';
import { signToken } from '../support/tokens';

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

  describe('for a token', () => {
    const expiring = (sub: number, seconds: number): Promise<string> =>
      signToken({ sub: String(sub), exp: test.clock.now().getTime() / 1000 + seconds });
    /** Returns the status of a request for a stream, which is aborted immediately. */
    const statusFor = async (authorization: string): Promise<number | undefined> => {
      const request = get(`${url}/api/events`, { headers: { authorization }, agent: false });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      request.on('error', () => undefined);
      request.destroy();
      return response.statusCode;
    };

    it('end each stream with its own token, regardless of newer tokens', async () => {
      const [userId = 0] = newUserIds(1);
      const [short, long] = [await expiring(userId, 60), await expiring(userId, 36_000)];
      expect(await statusFor(`Bearer ${short} ${long}`)).toBe(401);
      const reader = await open({ userId, token: short });
      test.clock.advance(60);
      await reader.ended;
      expect(reader.frames).toEqual([]);
    });

    it('reject a token with additional characters', async () => {
      const [userId = 0] = newUserIds(1);
      const token = await expiring(userId, 60);
      expect(await statusFor(`Bearer ${token} junk`)).toBe(401);
      expect(streamsOf(userId)).toBe(0);
    });
  });
});

/** Whether a stream has ended by now; a comment or an event would not have. */
const isOver = (reader: EventReader): Promise<boolean> =>
  Promise.race([reader.ended.then(() => true), new Promise<boolean>((is) => setImmediate(() => is(false)))]);
