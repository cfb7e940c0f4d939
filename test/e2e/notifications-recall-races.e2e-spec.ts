import { AsyncLocalStorage } from 'node:async_hooks';
import { Transactions } from '../../src/database/transactions';
import { Inboxes } from '../../src/notifications/services/inboxes';
import { announce, copiesLeft, recall, someReaders } from '../support/announcements';
import type { ApiClient } from '../support/api-client';
import { onMysql } from '../support/database';
import { listOf, repairCounters, titlesOf, unreadOf, untilRecalled } from '../support/notifications';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const ROUNDS = raceRounds(20);
const READERS = 12;

describe('Recall against catching up, on two instances,', () => {
  let test: TestApp;
  let other: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database, clock: test.clock });
    admin = await testUser(test.api, { id: 500, role: 'admin' });
  });
  afterEach(async () => {
    expect(await repairCounters(test)).toEqual([]);
  });
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  /** What the user hears, told over: the titles that are there, and how many are unread, by the last event. */
  const toldTo = async (api: ApiClient): Promise<{ titles: string[]; unread: number }> => {
    const titles = new Map<number, string>();
    let unread = 0;
    for (let after = 0; ;) {
      const { items, next_after } = (await api.get(`/api/events/poll?after=${after}&limit=500`)).body.data;
      if (items.length === 0) return { titles: [...titles.values()].toReversed(), unread };
      after = next_after as number;
      for (const { type, notification, notification_id, unread_count } of items) {
        unread = unread_count as number;
        if (type === 'notification.created')
          titles.set(notification.id as number, notification.title as string);
        if (type === 'notification.deleted') titles.delete(notification_id as number);
      }
    }
  };

  it('leaves it to nobody, whoever comes first', async () => {
    const readers = await Promise.all(
      (await someReaders(test, READERS)).map(async ({ id, api }, index) =>
        index % 2 ? { id, api } : { id, api: await other.api.as({ id }) },
      ),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await announce(admin, { broadcast: true, title: `recalled ${round}` });
      await announce(admin, { role: 'user', title: `kept ${round}` });
      const looks = readers.map(({ api }, index) => {
        if (index % 3 === 0) return unreadOf(api);
        if (index % 3 === 1) return listOf(api, '&is_read=0');
        return api.put('/api/notifications/all/read');
      });
      await Promise.all([
        ...looks,
        recall(round % 2 ? admin : await other.api.as({ id: 500, role: 'admin' }), id),
      ]);
      await Promise.all([untilRecalled(test), ...readers.map(({ api }) => titlesOf(api))]);
      await untilRecalled(test);
      expect(await copiesLeft(test, id)).toBe(0);
    }
    const kept = Array.from({ length: ROUNDS }, (_, round) => `kept ${round}`).toReversed();
    for (const { api } of readers) {
      expect(await titlesOf(api)).toEqual(kept);
      expect(await toldTo(api)).toEqual({ titles: kept, unread: (await unreadOf(api)).count });
    }
  });

  it('counts each one out once, however many mark it, delete it and recall it at once', async () => {
    const readers = await someReaders(test, 6);
    const elsewhere = await other.api.as({ id: 500, role: 'admin' });
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await announce(admin, { user_ids: readers.map((reader) => reader.id), title: 'goes' });
      const own = await Promise.all(readers.map(async ({ api }) => (await listOf(api)).list[0]?.id));
      await Promise.all([
        recall(admin, id),
        recall(elsewhere, id),
        ...readers.map(({ api }, index) => {
          const path = `/api/notifications/${own[index]}`;
          if (index % 3 === 0) return api.delete(path);
          if (index % 3 === 1) return api.put(`${path}/read`);
          return api.put(`${path}/unread`);
        }),
      ]);
      await untilRecalled(test);
      for (const { api } of readers) {
        expect(await unreadOf(api)).toEqual({ count: 0, by_type: {} });
        expect(await titlesOf(api)).toEqual([]);
      }
    }
  });

  it('waits for an inbox that is just taking it in', async () => {
    // SQLite has one connection: nothing can come in the middle there.
    if (!onMysql()) return;
    const [reader] = await someReaders(test, 1);
    const { id: userId, api } = reader as { id: number; api: ApiClient };
    const id = await announce(admin, { broadcast: true, title: 'just now' });
    // The request that comes in between belongs to somebody else, and not into this transaction's context.
    const elsewhere = AsyncLocalStorage.snapshot();
    const inboxes = test.app.get(Inboxes);
    let recalled: Promise<unknown> = Promise.resolve();
    let isRecalled = false;
    await test.app.get(Transactions).run(async (em) => {
      await inboxes.deliver(em, await inboxes.lock(em, [userId]));
      const there = await other.api.as({ id: 500, role: 'admin' });
      recalled = elsewhere(() => recall(there, id)).then(() => (isRecalled = true));
      // It waits for this transaction, which has much to do.
      await em.query('SELECT SLEEP(0.3)');
      expect(isRecalled).toBe(false);
    });
    await recalled;
    await untilRecalled(test);
    expect(await titlesOf(api)).not.toContain('just now');
    expect((await unreadOf(api)).count).toBe((await listOf(api)).total);
  });

  it('is told to nobody by an instance that was catching up when it was recalled', async () => {
    const [reader] = await someReaders(test, 1);
    const { id: userId, api } = reader as { id: number; api: ApiClient };
    const id = await announce(admin, { broadcast: true, title: 'too late' });
    await recall(admin, id);
    await other.app.get(Inboxes).materialiseBroadcasts([userId]);
    expect(await titlesOf(api)).toEqual([]);
    await untilRecalled(test);
  });
});
