import type { AddressInfo } from 'node:net';
import { StreamRegistry } from '../../src/events/live/stream-registry';
import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { EventReader } from '../support/event-reader';
import { countBufferedBytes } from '../support/server-buffers';
import { eventually } from '../support/service-process';
import { writeEventsOfTypes } from '../support/test-events';
import { createTestApp, type TestApp } from '../support/test-app';

describe('Events', () => {
  let test: TestApp;
  let url: string;
  let userId: number;
  let user: ApiClient;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    test = await createTestApp({ env: { EVENT_RETENTION_HOURS: '2' } });
    await test.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(test.app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => test?.close());
  beforeEach(async () => {
    [userId = 0] = newUserIds(1);
    user = await test.api.as({ id: userId });
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  const append = (types: string[], to = userId, payload: object = {}): Promise<void> =>
    writeEventsOfTypes(test, to, types, payload);
  const open = async (options: Partial<Parameters<typeof EventReader.open>[1]> = {}) => {
    const reader = await EventReader.open(url, { userId, ...options });
    readers.push(reader);
    return reader;
  };

  describe('the stream', () => {
    it('is not cached, buffered or compressed, and begins with a comment', async () => {
      const reader = await open();
      expect(reader.response.statusCode).toBe(200);
      expect(reader.response.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        'x-request-id': expect.stringMatching(/^[\w.-]+$/),
      });
      expect(reader.response.headers).not.toHaveProperty('content-encoding');
      await reader.until(() => reader.comments === 1);
      expect(reader.frames).toEqual([]);
    });

    it('announces that its connection closes, to clients with keep-alive', async () => {
      const { authorization = '' } = user.headers;
      const response = await fetch(`${url}/api/events`, { headers: { authorization } });
      expect(response.headers.get('connection')).toBe('close');
      await response.body?.cancel();
    });

    it('starts at the newest event without a cursor, and sends events as frames', async () => {
      await append(['before']);
      const reader = await open();
      await append(['after'], userId, { unread_count: 1 });
      expect(await reader.atLeast(1)).toEqual([
        {
          id: '2',
          event: 'after',
          data: { type: 'after', created_at: '2026-01-31T08:00:00.000Z', unread_count: 1 },
        },
      ]);
    });

    it('resumes after Last-Event-ID with exactly the missed events, then continues', async () => {
      await append(['a', 'b', 'c']);
      const reader = await open({ lastEventId: 1, after: 3 });
      await reader.atLeast(2);
      await append(['d']);
      await reader.atLeast(3);
      expect(reader.types).toEqual(['b', 'c', 'd']);
      expect(reader.ids).toEqual([2, 3, 4]);
    });

    it('catches up over many pages without a gap during new events', async () => {
      for (let part = 0; part < 5; part += 1) await append(Array.from({ length: 150 }, () => 'old'));
      const reader = await open({ after: 0 });
      await append(Array.from({ length: 50 }, () => 'new'));
      await reader.atLeast(800);
      expect(reader.ids).toEqual(Array.from({ length: 800 }, (_, index) => index + 1));
    });

    it('sends one resync with the newest cursor for an unknown one, then continues', async () => {
      await append(['a', 'b']);
      const reader = await open({ lastEventId: 9_000 });
      await append(['c']);
      await reader.atLeast(2);
      expect(reader.frames).toMatchObject([
        {
          id: '2',
          event: 'resync',
          data: { type: 'resync', created_at: '2026-01-31T08:00:00.000Z' },
        },
        { id: '3', event: 'c' },
      ]);
    });

    it.each([
      [{ 'last-event-id': 'x' }, '', 'Last-Event-ID 必须是整数'],
      [{ 'last-event-id': '-1' }, '', 'Last-Event-ID 必须是整数'],
      [{ 'last-event-id': '9007199254740993' }, '', 'Last-Event-ID 必须是整数'],
      [{}, '?after=x', 'after 必须是整数'],
    ])('rejects the malformed cursor %j%s in the envelope', async (headers, query, message) => {
      const reply = await user.with(headers).get(`/api/events${query}`);
      expect([reply.status, reply.body]).toEqual([422, { code: 422, message, data: null }]);
    });

    it('sends a comment every 15 s', async () => {
      const reader = await open();
      await reader.until(() => reader.comments === 1);
      test.app.get(StreamRegistry).tick();
      test.clock.advance(15);
      test.app.get(StreamRegistry).tick();
      test.app.get(StreamRegistry).tick();
      await reader.until(() => reader.comments === 2);
      await append(['a']);
      await reader.atLeast(1);
      expect(reader.comments).toBe(2);
    });

    it('ends when the token expires', async () => {
      const exp = Math.floor(test.clock.now().getTime() / 1000) + 60;
      const reader = await open({ claims: { exp } });
      const other = await open();
      test.clock.advance(60);
      await reader.ended;
      await append(['a']);
      await other.atLeast(1);
      expect(reader.frames).toEqual([]);
    });

    it('releases a client that has disconnected', async () => {
      const hub = test.app.get(StreamRegistry);
      const reader = await open();
      expect(hub.userIds).toContain(userId);
      reader.close();
      await reader.ended;
      const listeners = await eventually(
        async () => hub.userIds,
        (userIds) => !userIds.includes(userId),
      );
      expect(listeners).not.toContain(userId);
    });
  });

  describe('a slow reader', () => {
    it('blocks no other reader, buffers no events in memory, and receives all of them', async () => {
      const bufferedBytes = countBufferedBytes(test);
      const slow = await open();
      const quick = await open();
      slow.response.pause();
      const payload = { content: 'x'.repeat(60_000) };
      // More than the buffers of both sockets.
      for (let part = 0; part < 6; part += 1)
        await append(
          Array.from({ length: 50 }, () => 'big'),
          userId,
          payload,
        );
      await quick.atLeast(300);
      expect(slow.frames.length).toBeLessThan(300);
      expect(bufferedBytes()).toBeLessThan(1_000_000);
      slow.response.resume();
      await slow.atLeast(300);
      expect(slow.ids).toEqual(quick.ids);
    });

    it('is disconnected after a minute without reading, and resumes from its cursor', async () => {
      const slow = await open({ after: 0 });
      slow.response.pause();
      await append(
        Array.from({ length: 200 }, () => 'big'),
        userId,
        { content: 'x'.repeat(60_000) },
      );
      const hub = test.app.get(StreamRegistry);
      const stalled = async () => [...hub.streamsOf(userId)].some(({ isStalled }) => isStalled);
      expect(await eventually(stalled, Boolean)).toBe(true);
      test.clock.advance(60);
      hub.tick();
      slow.response.resume();
      await slow.ended;
      expect(slow.frames.length).toBeLessThan(200);
      const again = await open({ lastEventId: slow.ids.at(-1) });
      await again.atLeast(200 - slow.frames.length);
      expect([...slow.ids, ...again.ids]).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    });
  });
});
