import { Inboxes } from '../../src/notifications/services/inboxes';
import { sendAnnouncement, countCopies, recall, createReaders } from '../support/announcements';
import type { ApiClient } from '../support/api-client';
import {
  listNotifications,
  repairCounters,
  listTitles,
  getUnreadCount,
  untilRecalled,
} from '../support/notifications';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const ROUNDS = raceRounds(20);
const READERS = 12;

describe('A recall during inbox reads on two instances', () => {
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

  /** Returns the state after a user's events: the titles, and the unread count of the last event. */
  const eventsOf = async (api: ApiClient): Promise<{ titles: string[]; unread: number }> => {
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

  it('leaves the announcement in no inbox, in either order', async () => {
    const readers = await Promise.all(
      (await createReaders(test, READERS)).map(async ({ id, api }, index) =>
        index % 2 ? { id, api } : { id, api: await other.api.as({ id }) },
      ),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await sendAnnouncement(admin, { broadcast: true, title: `recalled ${round}` });
      await sendAnnouncement(admin, { role: 'user', title: `kept ${round}` });
      const looks = readers.map(({ api }, index) => {
        if (index % 3 === 0) return getUnreadCount(api);
        if (index % 3 === 1) return listNotifications(api, '&is_read=0');
        return api.put('/api/notifications/all/read');
      });
      await Promise.all([
        ...looks,
        recall(round % 2 ? admin : await other.api.as({ id: 500, role: 'admin' }), id),
      ]);
      await Promise.all([untilRecalled(test), ...readers.map(({ api }) => listTitles(api))]);
      await untilRecalled(test);
      expect(await countCopies(test, id)).toBe(0);
    }
    const kept = Array.from({ length: ROUNDS }, (_, round) => `kept ${round}`).toReversed();
    for (const { api } of readers) {
      expect(await listTitles(api)).toEqual(kept);
      expect(await eventsOf(api)).toEqual({ titles: kept, unread: (await getUnreadCount(api)).count });
    }
  });

  it('subtracts each copy once, with concurrent marks and deletions', async () => {
    const readers = await createReaders(test, 6);
    const elsewhere = await other.api.as({ id: 500, role: 'admin' });
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await sendAnnouncement(admin, {
        user_ids: readers.map((reader) => reader.id),
        title: 'goes',
      });
      const own = await Promise.all(
        readers.map(async ({ api }) => (await listNotifications(api)).list[0]?.id),
      );
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
        expect(await getUnreadCount(api)).toEqual({ count: 0, by_type: {} });
        expect(await listTitles(api)).toEqual([]);
      }
    }
  });

  it('publishes no event from an instance that was materialising the announcement', async () => {
    const [reader] = await createReaders(test, 1);
    const { id: userId, api } = reader as { id: number; api: ApiClient };
    const id = await sendAnnouncement(admin, { broadcast: true, title: 'too late' });
    await recall(admin, id);
    await other.app.get(Inboxes).materialiseBroadcasts([userId]);
    expect(await listTitles(api)).toEqual([]);
    await untilRecalled(test);
  });
});
