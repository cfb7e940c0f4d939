import {
  sendAnnouncement,
  getAnnouncement,
  countCopies,
  getReach,
  recall,
  createReaders,
} from '../support/announcements';
import { Transactions } from '../../src/database/transactions';
import { AnnouncementRecalls } from '../../src/notifications/services/announcement-recalls';
import { Inboxes } from '../../src/notifications/services/inboxes';
import type { ApiClient } from '../support/api-client';
import { stopJobs } from '../support/jobs';
import {
  listNotifications,
  repairCounters,
  listTitles,
  getUnreadCount,
  untilRecalled,
} from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';
import { eventually } from '../support/waiting';

const eventsOf = async (api: ApiClient): Promise<Record<string, unknown>[]> =>
  (await api.get('/api/events/poll?after=0&limit=500')).body.data.items as Record<string, unknown>[];

describe('A recalled announcement', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await testUser(test.api, { id: 500, role: 'admin' });
  });
  afterEach(async () => {
    expect(await repairCounters(test)).toEqual([]);
  });
  afterAll(() => test?.close());

  it('is removed from inboxes, read or not, with an event to their users', async () => {
    const [one, other] = await createReaders(test, 2);
    if (!one || !other) throw new Error('nobody is there');
    await sendAnnouncement(admin, { user_ids: [one.id, other.id], title: 'stays' });
    const id = await sendAnnouncement(admin, { broadcast: true, title: 'goes' });
    await sendAnnouncement(admin, { broadcast: true, title: 'stays, too', type: 'other' });
    expect(await listTitles(one.api)).toEqual(['stays, too', 'goes', 'stays']);
    expect(await listTitles(other.api)).toEqual(['stays, too', 'goes', 'stays']);
    const gone = (await listNotifications(one.api)).list[1]?.id;
    await other.api.put('/api/notifications/all/read', { type: 'news' });

    expect(await recall(admin, id)).toMatchObject({ id, status: 'recalled' });
    await untilRecalled(test);
    for (const { api } of [one, other]) expect(await listTitles(api)).toEqual(['stays, too', 'stays']);
    expect(await getUnreadCount(one.api)).toEqual({ count: 2, by_type: { news: 1, other: 1 } });
    expect(await getUnreadCount(other.api)).toEqual({ count: 1, by_type: { other: 1 } });
    expect((await eventsOf(one.api)).at(-1)).toMatchObject({
      type: 'notification.deleted',
      notification_id: gone,
      unread_count: 2,
      by_type: { news: 1, other: 1 },
    });
    expect((await eventsOf(other.api)).at(-1)).toMatchObject({
      type: 'notification.deleted',
      unread_count: 1,
    });
    expect((await one.api.put(`/api/notifications/${gone}/read`)).body.code).toBe(404);
  });

  it('is not materialised in other inboxes, and leaves no gap', async () => {
    const [reader] = await createReaders(test, 1);
    const { api } = reader as { api: ApiClient };
    const before = await listTitles(api);
    await sendAnnouncement(admin, { broadcast: true, title: 'before' });
    const id = await sendAnnouncement(admin, {
      broadcast: true,
      title: 'never seen',
      dedupe_key: 'recalled',
    });
    await sendAnnouncement(admin, { broadcast: true, title: 'after' });
    await recall(admin, id);
    await untilRecalled(test);
    expect(await listTitles(api)).toEqual(['after', 'before', ...before]);
    expect((await eventsOf(api)).map(({ type }) => type)).not.toContain('notification.deleted');
    // No inbox has used up the key.
    await sendAnnouncement(admin, { broadcast: true, title: 'once more', dedupe_key: 'recalled' });
    expect((await listTitles(api))[0]).toBe('once more');
  });

  it('keeps its first recall time when recalled again', async () => {
    const id = await sendAnnouncement(admin, { broadcast: true });
    const at = test.clock.now().toISOString();
    expect(await recall(admin, id)).toMatchObject({ status: 'recalled', recalled_at: at });
    test.clock.advance(60);
    expect(await recall(admin, id)).toMatchObject({ status: 'recalled', recalled_at: at });
    expect(await getAnnouncement(admin, id)).toMatchObject({ status: 'recalled', recalled_at: at });
  });

  it('stays deleted for users who had deleted it, without an event', async () => {
    const [reader] = await createReaders(test, 1);
    const { api, id: userId } = reader as { id: number; api: ApiClient };
    const id = await sendAnnouncement(admin, { user_ids: [userId, 500], title: 'deleted' });
    await api.delete(`/api/notifications/${(await listNotifications(api)).list[0]?.id}`);
    const events = (await eventsOf(api)).length;
    await recall(admin, id);
    await untilRecalled(test);
    expect(await eventsOf(api)).toHaveLength(events);
  });

  it('has no reach', async () => {
    const readers = await createReaders(test, 3);
    const id = await sendAnnouncement(admin, { user_ids: readers.map((reader) => reader.id) });
    const [first] = readers;
    await first?.api.put('/api/notifications/all/read');
    expect(await getReach(admin, id, test.clock.now())).toEqual({ delivered: 3, read: 1 });
    test.clock.advance(1);
    await recall(admin, id);
    await untilRecalled(test);
    expect(await countCopies(test, id)).toBe(0);
    expect(await getReach(admin, id, test.clock.now())).toEqual({ delivered: 0, read: 0 });
  });

  it('is removed completely when the recalling instance stops', async () => {
    const [reader] = await createReaders(test, 1);
    const { api, id: userId } = reader as { id: number; api: ApiClient };
    const id = await sendAnnouncement(admin, { user_ids: [userId, 500], title: 'left behind' });
    const until = new Date(test.clock.now().getTime() + 30_000).toISOString();
    const claimed = until.replace('T', ' ').replace('Z', '');
    await test.query(`UPDATE announcements SET recalled_at = '${claimed}' WHERE id = ${id}`);
    await test.query(`INSERT INTO announcement_recalls VALUES (${id}, '${claimed}')`);
    const next = await sendAnnouncement(admin, { broadcast: true });
    await recall(admin, next);
    expect(await listTitles(api)).toContain('left behind');
    test.clock.advance(30);
    await untilRecalled(test);
    expect(await listTitles(api)).not.toContain('left behind');
  });
});

describe('A recall whose claim could not be renewed', () => {
  it('is finished by the next run', async () => {
    const test = await createTestApp();
    try {
      await stopJobs(test);
      const admin = await testUser(test.api, { id: 500, role: 'admin' });
      const [reader] = await createReaders(test, 1);
      const id = await sendAnnouncement(admin, { user_ids: [reader?.id, 500] });
      const [inboxes, transactions] = [test.app.get(Inboxes), test.app.get(Transactions)];
      const remove = inboxes.removeRecalled.bind(inboxes);
      jest.spyOn(inboxes, 'removeRecalled').mockImplementationOnce(async (copies) => {
        await remove(copies);
        // A renewal of the claim now has another end.
        test.clock.advance(1);
        jest.spyOn(transactions, 'run').mockRejectedValueOnce(new Error('connection lost'));
      });
      await recall(admin, id);
      await eventually(
        async () => {
          await test.app.get(AnnouncementRecalls).sweep();
          return test.query('SELECT * FROM announcement_recalls');
        },
        ({ length }) => length === 0,
      );
      expect(await listTitles(reader?.api as ApiClient)).toEqual([]);
    } finally {
      jest.restoreAllMocks();
      await test.close();
    }
  });
});

describe('The reach of an announcement', () => {
  let test: TestApp;
  let other: TestApp;
  let admin: ApiClient;
  let elsewhere: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database, clock: test.clock });
    admin = await testUser(test.api, { id: 500, role: 'admin' });
    elsewhere = await other.api.as({ id: 500, role: 'admin' });
  });
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  it('is counted on request, and again after five minutes', async () => {
    const [one, two, three] = await createReaders(test, 3);
    const id = await sendAnnouncement(admin, { broadcast: true });
    expect((await getAnnouncement(admin, id)).reach).toEqual({ delivered: 0, read: 0, counted_at: null });
    expect(await getReach(admin, id, test.clock.now())).toEqual({ delivered: 0, read: 0 });
    await listTitles(one?.api as ApiClient);
    await listTitles(two?.api as ApiClient);
    await two?.api.put('/api/notifications/all/read');
    test.clock.advance(299);
    const counted = (await getAnnouncement(admin, id)).reach.counted_at;
    for (let time = 0; time < 5; time += 1) await getAnnouncement(elsewhere, id);
    expect((await getAnnouncement(admin, id)).reach.counted_at).toBe(counted);
    test.clock.advance(1);
    expect(await getReach(elsewhere, id, test.clock.now())).toEqual({ delivered: 2, read: 1 });
    const newest = (await listNotifications(one?.api as ApiClient)).list[0]?.id;
    await one?.api.put(`/api/notifications/${newest}/read`);
    await three?.api.put('/api/notifications/all/read');
    test.clock.advance(300);
    expect(await getReach(admin, id, test.clock.now())).toEqual({ delivered: 3, read: 3 });
    // One user marks it unread again, and another one deletes it.
    await one?.api.put(`/api/notifications/${newest}/unread`);
    const deleted = (await listNotifications(three?.api as ApiClient)).list[0]?.id;
    await three?.api.delete(`/api/notifications/${deleted}`);
    test.clock.advance(300);
    expect(await getReach(admin, id, test.clock.now())).toEqual({ delivered: 2, read: 1 });
  });

  it('is counted over thousands of users in parts', async () => {
    const id = await sendAnnouncement(admin, {
      user_ids: (await createReaders(test, 2)).map((one) => one.id),
    });
    const users = Array.from({ length: 2_998 }, (_, index) => ({ user: 1_000_000 + index, kind: index % 3 }));
    const insert = (table: string, columns: string, row: (user: (typeof users)[number]) => string) =>
      test.query(`INSERT INTO ${table} (${columns}) VALUES ${users.map(row).join(', ')}`);
    await insert(
      'notifications',
      'user_id, seq, type, title, content, created_at, announcement_id',
      ({ user }) => `(${user}, 1, 'news', 'T', 'C', '2026-01-31', ${id})`,
    );
    // A third was marked read by id, and a third by marking the type read.
    await insert(
      'notification_types',
      'user_id, type, code, total, unread, epoch',
      ({ user, kind }) => `(${user}, 'news', 1, 1, ${kind === 1 ? 1 : 0}, ${kind === 2 ? 2 : 1})`,
    );
    await insert(
      'notification_blocks',
      'user_id, start, version, width, types, unread',
      ({ user, kind }) => `(${user}, 0, 2, 1, x'0001', ${kind === 0 ? "x''" : "x'02'"})`,
    );
    test.clock.advance(300);
    expect(await getReach(admin, id, test.clock.now())).toEqual({ delivered: 3_000, read: 1_999 });
  });

  it('is counted by one instance at a time, and by another when that one stops', async () => {
    const id = await sendAnnouncement(admin, {
      user_ids: (await createReaders(test, 2)).map((one) => one.id),
    });
    const until = new Date(test.clock.now().getTime() + 30_000)
      .toISOString()
      .replace('T', ' ')
      .replace('Z', '');
    await test.query(
      `UPDATE announcement_reaches SET claimed_until = '${until}' WHERE announcement_id = ${id}`,
    );
    const next = await sendAnnouncement(admin, { broadcast: true });
    await getAnnouncement(admin, id);
    // Announcements are counted in sequence, so the other one would be counted before this one.
    expect(await getReach(admin, next, test.clock.now())).toEqual({ delivered: 0, read: 0 });
    expect((await getAnnouncement(elsewhere, id)).reach.counted_at).toBeNull();
    test.clock.advance(30);
    expect(await getReach(elsewhere, id, test.clock.now())).toEqual({ delivered: 2, read: 0 });
  });
});
