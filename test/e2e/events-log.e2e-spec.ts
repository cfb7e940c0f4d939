import { DataSource } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { EventRetention } from '../../src/events/log/retention';
import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { writeEventsOfTypes, appendTestEvents } from '../support/test-events';
import { createTestApp, type TestApp } from '../support/test-app';

const HOUR = 3_600;

describe('Events', () => {
  let test: TestApp;
  let userId: number;
  let user: ApiClient;

  beforeAll(async () => {
    test = await createTestApp({ env: { EVENT_RETENTION_HOURS: '2' } });
  });
  afterAll(() => test?.close());
  beforeEach(async () => {
    [userId = 0] = newUserIds(1);
    user = await test.api.as({ id: userId });
  });

  const append = (types: string[], to = userId, payload: object = {}): Promise<void> =>
    writeEventsOfTypes(test, to, types, payload);
  const poll = async (query = '') => (await user.get(`/api/events/poll${query}`)).body;
  const idsOf = async (query = '') => (await poll(query)).data.items.map(({ id }: { id: number }) => id);

  describe('the log', () => {
    it('numbers the events of a user 1, 2, 3 … and returns them in order', async () => {
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

    it('stores nothing of a failed transaction, and reuses its numbers', async () => {
      await append(['a']);
      const failing = test.app.get(Transactions).run(async (em) => {
        appendTestEvents(test, em, [{ userId, type: 'never', payload: {} }]);
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      await append(['b']);
      expect((await poll()).data.items).toMatchObject([
        { id: 1, type: 'a' },
        { id: 2, type: 'b' },
      ]);
    });

    it('rejects events outside a transaction', async () => {
      const { manager } = test.app.get(DataSource);
      const outside = () => appendTestEvents(test, manager, [{ userId, type: 'a', payload: {} }]);
      expect(outside).toThrow('Not inside a transaction');
    });

    it('has no gaps with concurrent writers for overlapping users', async () => {
      const ids = newUserIds(4);
      const writers = Array.from({ length: 60 }, (_, index) =>
        test.app.get(Transactions).run(async (em) => {
          // Users in both orders: the log sorts them, so that writers wait for each other without a deadlock.
          const to = index % 2 ? ids : ids.toReversed();
          for (const id of to) {
            appendTestEvents(test, em, [{ userId: id, type: `t${index}`, payload: {} }]);
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

    it('stores a payload with the longest message in any script', async () => {
      const content = '𠮷'.repeat(5_000) + '\u0001'.repeat(5_000);
      await append(['a'], userId, { content, display_content: content });
      expect((await poll()).data.items[0].content).toBe(content);
    });
  });

  describe('after the retention period', () => {
    it('returns the kept events, and a resync for an earlier cursor, trimmed or not', async () => {
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

    it('accepts a cursor that missed nothing, and never restarts the numbers', async () => {
      await append(['old', 'old']);
      test.clock.advance(3 * HOUR);
      await test.app.get(EventRetention).trim();
      expect((await poll('?after=2')).data).toEqual({ items: [], next_after: 2 });
      expect((await poll()).data).toEqual({ items: [], next_after: 2 });
      expect((await poll('?after=1')).data.items).toMatchObject([{ id: 2, type: 'resync' }]);
      await append(['new']);
      expect(await idsOf('?after=2')).toEqual([3]);
    });

    it('trims any number of events in batches', async () => {
      for (let part = 0; part < 3; part += 1) await append(Array.from({ length: 500 }, () => 'old'));
      test.clock.advance(3 * HOUR);
      await append(['new']);
      const retention = test.app.get(EventRetention);
      await Promise.all([retention.trim(), retention.trim()]);
      expect(await test.query('SELECT COUNT(*) AS n FROM events')).toEqual([{ n: 1 }]);
    });
  });
});
