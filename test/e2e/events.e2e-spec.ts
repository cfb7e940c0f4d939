import type { AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { EventHub } from '../../src/events/event-hub';
import { EventRetention } from '../../src/events/event-retention';
import { EventsService } from '../../src/events/events.service';
import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { EventReader } from '../support/event-reader';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';

const HOUR = 3_600;

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
    test.app.get(Transactions).run(async (em) => {
      test.app.get(EventsService).append(
        em,
        types.map((type) => ({ userId: to, type, payload })),
      );
    });
  const open = async (options: Partial<Parameters<typeof EventReader.open>[1]> = {}) => {
    const reader = await EventReader.open(url, { userId, ...options });
    readers.push(reader);
    return reader;
  };
  const poll = async (query = '') => (await user.get(`/api/events/poll${query}`)).body;
  const idsOf = async (query = '') => (await poll(query)).data.items.map(({ id }: { id: number }) => id);

  describe('the log', () => {
    it('numbers a user’s events 1, 2, 3 … and brings them in order', async () => {
      await append(['a', 'b']);
      await append(['c'], userId, { unread_count: 3 });
      expect(await poll()).toEqual({
        code: 0,
        message: '操作成功',
        data: {
          items: [
            { id: 1, type: 'a', created_at: '2026-01-31T08:00:00.000Z' },
            { id: 2, type: 'b', created_at: '2026-01-31T08:00:00.000Z' },
            { id: 3, type: 'c', created_at: '2026-01-31T08:00:00.000Z', unread_count: 3 },
          ],
          next_after: 3,
        },
      });
    });

    it('keeps each user’s events apart', async () => {
      const [other = 0] = newUserIds(1);
      await append(['mine']);
      await append(['theirs', 'theirs'], other);
      expect((await poll()).data.items).toMatchObject([{ id: 1, type: 'mine' }]);
    });

    it('keeps nothing of a transaction that failed, and gives its numbers back', async () => {
      await append(['a']);
      const failing = test.app.get(Transactions).run(async (em) => {
        test.app.get(EventsService).append(em, [{ userId, type: 'never', payload: {} }]);
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      await append(['b']);
      expect((await poll()).data.items).toMatchObject([
        { id: 1, type: 'a' },
        { id: 2, type: 'b' },
      ]);
    });

    it('takes no event outside a transaction of the seam', async () => {
      const { manager } = test.app.get(DataSource);
      const outside = () => test.app.get(EventsService).append(manager, [{ userId, type: 'a', payload: {} }]);
      expect(outside).toThrow('Not inside a transaction');
    });

    it('stays dense under concurrent writers to overlapping users', async () => {
      const ids = newUserIds(4);
      const writers = Array.from({ length: 60 }, (_, index) =>
        test.app.get(Transactions).run(async (em) => {
          // Users in every order: the log sorts them, so that writers queue and never deadlock.
          const to = index % 2 ? ids : ids.toReversed();
          for (const id of to) {
            test.app.get(EventsService).append(em, [{ userId: id, type: `t${index}`, payload: {} }]);
          }
        }),
      );
      await Promise.all(writers);
      for (const id of ids) {
        const { items } = (await (await test.api.as({ id })).get('/api/events/poll?limit=500')).body.data;
        expect(items.map((item: { id: number }) => item.id)).toEqual(
          Array.from({ length: 60 }, (_, index) => index + 1),
        );
        expect(new Set(items.map(({ type }: { type: string }) => type)).size).toBe(60);
      }
    });

    it('holds a payload of the greatest message in any script', async () => {
      const content = '𠮷'.repeat(5_000) + '\u0001'.repeat(5_000);
      await append(['a'], userId, { content, display_content: content });
      expect((await poll()).data.items[0].content).toBe(content);
    });
  });

  describe('the poll', () => {
    it('goes on after a cursor', async () => {
      await append(['a', 'b', 'c', 'd', 'e']);
      expect(await idsOf('?after=0')).toEqual([1, 2, 3, 4, 5]);
      expect(await idsOf('?after=3')).toEqual([4, 5]);
      expect((await poll('?after=1&limit=2')).data).toMatchObject({
        items: [{ id: 2 }, { id: 3 }],
        next_after: 3,
      });
      expect((await poll('?after=5')).data).toEqual({ items: [], next_after: 5 });
    });

    it('is empty for a user to whom nothing has happened', async () => {
      expect((await poll()).data).toEqual({ items: [], next_after: 0 });
      expect((await poll('?after=0')).data).toEqual({ items: [], next_after: 0 });
    });

    it('brings 100 by default and 500 at most', async () => {
      await append(Array.from({ length: 501 }, () => 'many'));
      expect(await idsOf()).toHaveLength(100);
      expect(await idsOf('?limit=500')).toHaveLength(500);
    });

    it.each([
      ['?after=x', 'after 必须是整数'],
      ['?after=-1', 'after 必须是整数'],
      ['?after=1.5', 'after 必须是整数'],
      ['?after=9007199254740993', 'after 不能大于 9007199254740991'],
      ['?limit=0', 'limit 不能小于 1'],
      ['?limit=501', 'limit 不能大于 500'],
      ['?limit=many', 'limit 必须是整数'],
    ])('refuses %s', async (query, message) => {
      expect(await poll(query)).toEqual({ code: 422, message, data: null });
    });

    it('answers an unknown cursor with one resync that carries the newest', async () => {
      await append(['a', 'b']);
      expect((await poll('?after=3')).data).toEqual({
        items: [{ id: 2, type: 'resync', created_at: '2026-01-31T08:00:00.000Z' }],
        next_after: 2,
      });
    });

    it('needs a token', async () => {
      expect((await test.api.get('/api/events/poll')).body).toEqual({
        code: 401,
        message: '未授权',
        data: null,
      });
    });
  });

  describe('the stream', () => {
    it('is not to be cached, buffered or compressed, and begins with a comment', async () => {
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

    it('starts now without a cursor, and brings what happens as frames', async () => {
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

    it('brings every terminal of the user the same', async () => {
      const terminals = [await open(), await open(), await open()];
      await append(['a', 'b']);
      for (const terminal of terminals) {
        await terminal.atLeast(2);
        expect(terminal.types).toEqual(['a', 'b']);
      }
    });

    it('resumes after Last-Event-ID with exactly what was missed, then goes on', async () => {
      await append(['a', 'b', 'c']);
      const reader = await open({ lastEventId: 1, after: 3 });
      await reader.atLeast(2);
      await append(['d']);
      await reader.atLeast(3);
      expect(reader.types).toEqual(['b', 'c', 'd']);
      expect(reader.ids).toEqual([2, 3, 4]);
    });

    it('resumes after ?after=', async () => {
      await append(['a', 'b', 'c']);
      const reader = await open({ after: 0 });
      await reader.atLeast(3);
      expect(reader.types).toEqual(['a', 'b', 'c']);
    });

    it('catches up over many pages without a gap while more arrives', async () => {
      for (let part = 0; part < 5; part += 1) await append(Array.from({ length: 150 }, () => 'old'));
      const reader = await open({ after: 0 });
      await append(Array.from({ length: 50 }, () => 'new'));
      await reader.atLeast(800);
      expect(reader.ids).toEqual(Array.from({ length: 800 }, (_, index) => index + 1));
    });

    it('answers an unknown cursor with one resync that carries the newest, then goes on from there', async () => {
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
    ])('refuses the malformed cursor %j%s in the envelope', async (headers, query, message) => {
      const answer = await user.with(headers).get(`/api/events${query}`);
      expect([answer.status, answer.body]).toEqual([422, { code: 422, message, data: null }]);
    });

    it('is refused without a token, in the envelope', async () => {
      const answer = await test.api.get('/api/events');
      expect([answer.status, answer.body]).toEqual([401, { code: 401, message: '未授权', data: null }]);
    });

    it('shows a sign of life every 15 s', async () => {
      const reader = await open();
      await reader.until(() => reader.comments === 1);
      test.app.get(EventHub).tick();
      test.clock.advance(15);
      test.app.get(EventHub).tick();
      test.app.get(EventHub).tick();
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

    it('forgets a client that has gone', async () => {
      const hub = test.app.get(EventHub);
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
    it('holds up nobody, keeps no events in memory, and gets all of them in the end', async () => {
      const slow = await open();
      const quick = await open();
      slow.response.pause();
      const payload = { content: 'x'.repeat(60_000) };
      // More than the sockets between them can hold.
      for (let part = 0; part < 6; part += 1)
        await append(
          Array.from({ length: 50 }, () => 'big'),
          userId,
          payload,
        );
      await quick.atLeast(300);
      expect(slow.frames.length).toBeLessThan(300);
      const held = heldBytes(test);
      expect(held).toBeLessThan(1_000_000);
      slow.response.resume();
      await slow.atLeast(300);
      expect(slow.ids).toEqual(quick.ids);
    });

    it('that takes nothing for a minute is dropped, and resumes where it stood', async () => {
      const slow = await open({ after: 0 });
      slow.response.pause();
      await append(
        Array.from({ length: 200 }, () => 'big'),
        userId,
        { content: 'x'.repeat(60_000) },
      );
      const hub = test.app.get(EventHub);
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

  describe('after the retention', () => {
    it('brings only what is kept, and a resync for a cursor before it, trimmed or not', async () => {
      await append(['old', 'old']);
      test.clock.advance(HOUR);
      await append(['young', 'young']);
      test.clock.advance(HOUR + 1);
      for (const trim of [false, true]) {
        if (trim) await test.app.get(EventRetention).trim();
        expect(await idsOf()).toEqual([3, 4]);
        expect(await idsOf('?after=2')).toEqual([3, 4]);
        expect(await idsOf('?after=3')).toEqual([4]);
        expect((await poll('?after=1')).data).toMatchObject({
          items: [{ id: 4, type: 'resync' }],
          next_after: 4,
        });
        expect((await poll('?after=0')).data.items).toMatchObject([{ id: 4, type: 'resync' }]);
      }
      expect(await test.query(`SELECT seq FROM events WHERE user_id = ${userId} ORDER BY seq`)).toEqual([
        { seq: 3 },
        { seq: 4 },
      ]);
    });

    it('lets a cursor stand that has missed nothing, and never counts anew', async () => {
      await append(['old', 'old']);
      test.clock.advance(3 * HOUR);
      await test.app.get(EventRetention).trim();
      expect((await poll('?after=2')).data).toEqual({ items: [], next_after: 2 });
      expect((await poll()).data).toEqual({ items: [], next_after: 2 });
      expect((await poll('?after=1')).data.items).toMatchObject([{ id: 2, type: 'resync' }]);
      await append(['new']);
      expect(await idsOf('?after=2')).toEqual([3]);
    });

    it('trims any number, batch by batch', async () => {
      for (let part = 0; part < 3; part += 1) await append(Array.from({ length: 500 }, () => 'old'));
      test.clock.advance(3 * HOUR);
      await append(['new']);
      const retention = test.app.get(EventRetention);
      await Promise.all([retention.trim(), retention.trim()]);
      expect(await test.query('SELECT COUNT(*) AS n FROM events')).toEqual([{ n: 1 }]);
    });
  });
});

/** What the server's sockets hold for their readers. */
function heldBytes(test: TestApp): number {
  const hub = test.app.get(EventHub);
  return hub.userIds.flatMap((id) => [...hub.streamsOf(id)]).reduce((sum, { buffered }) => sum + buffered, 0);
}
