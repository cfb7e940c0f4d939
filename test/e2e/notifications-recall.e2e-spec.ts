import { announce, announcementOf, copiesLeft, reachOf, recall, someReaders } from '../support/announcements';
import type { ApiClient } from '../support/api-client';
import { listOf, repairCounters, titlesOf, unreadOf, untilRecalled } from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const eventsOf = async (api: ApiClient): Promise<Record<string, unknown>[]> =>
  (await api.get('/api/events/poll?after=0&limit=500')).body.data.items as Record<string, unknown>[];

describe('An announcement that is recalled', () => {
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

  it('is gone from the inboxes that had it, read or not, and their owners hear of it', async () => {
    const [one, other] = await someReaders(test, 2);
    if (!one || !other) throw new Error('nobody is there');
    await announce(admin, { user_ids: [one.id, other.id], title: 'stays' });
    const id = await announce(admin, { broadcast: true, title: 'goes' });
    await announce(admin, { broadcast: true, title: 'stays, too', type: 'other' });
    expect(await titlesOf(one.api)).toEqual(['stays, too', 'goes', 'stays']);
    expect(await titlesOf(other.api)).toEqual(['stays, too', 'goes', 'stays']);
    const gone = (await listOf(one.api)).list[1]?.id;
    await other.api.put('/api/notifications/all/read', { type: 'news' });

    expect(await recall(admin, id)).toMatchObject({ id, status: 'recalled' });
    await untilRecalled(test);
    for (const { api } of [one, other]) expect(await titlesOf(api)).toEqual(['stays, too', 'stays']);
    expect(await unreadOf(one.api)).toEqual({ count: 2, by_type: { news: 1, other: 1 } });
    expect(await unreadOf(other.api)).toEqual({ count: 1, by_type: { other: 1 } });
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

  it('does not come into inboxes that had not taken it in, and leaves no gap there', async () => {
    const [reader] = await someReaders(test, 1);
    const { api } = reader as { api: ApiClient };
    const before = await titlesOf(api);
    await announce(admin, { broadcast: true, title: 'before' });
    const id = await announce(admin, { broadcast: true, title: 'never seen', dedupe_key: 'recalled' });
    await announce(admin, { broadcast: true, title: 'after' });
    await recall(admin, id);
    await untilRecalled(test);
    expect(await titlesOf(api)).toEqual(['after', 'before', ...before]);
    expect((await eventsOf(api)).map(({ type }) => type)).not.toContain('notification.deleted');
    // Its key has reached nobody.
    await announce(admin, { broadcast: true, title: 'once more', dedupe_key: 'recalled' });
    expect((await titlesOf(api))[0]).toBe('once more');
  });

  it('stays recalled when it is recalled again, and shows when that was', async () => {
    const id = await announce(admin, { broadcast: true });
    const at = test.clock.now().toISOString();
    expect(await recall(admin, id)).toMatchObject({ status: 'recalled', recalled_at: at });
    test.clock.advance(60);
    expect(await recall(admin, id)).toMatchObject({ status: 'recalled', recalled_at: at });
    expect(await announcementOf(admin, id)).toMatchObject({ status: 'recalled', recalled_at: at });
  });

  it('leaves what its owners had deleted deleted, and tells them nothing', async () => {
    const [reader] = await someReaders(test, 1);
    const { api, id: userId } = reader as { id: number; api: ApiClient };
    const id = await announce(admin, { user_ids: [userId, 500], title: 'deleted' });
    await api.delete(`/api/notifications/${(await listOf(api)).list[0]?.id}`);
    const events = (await eventsOf(api)).length;
    await recall(admin, id);
    await untilRecalled(test);
    expect(await eventsOf(api)).toHaveLength(events);
  });

  it('has no reach any more', async () => {
    const readers = await someReaders(test, 3);
    const id = await announce(admin, { user_ids: readers.map((reader) => reader.id) });
    const [first] = readers;
    await first?.api.put('/api/notifications/all/read');
    expect(await reachOf(admin, id, test.clock.now())).toEqual({ delivered: 3, read: 1 });
    test.clock.advance(1);
    await recall(admin, id);
    await untilRecalled(test);
    expect(await copiesLeft(test, id)).toBe(0);
    expect(await reachOf(admin, id, test.clock.now())).toEqual({ delivered: 0, read: 0 });
  });

  it('goes on being taken out where the instance that began it is gone', async () => {
    const [reader] = await someReaders(test, 1);
    const { api, id: userId } = reader as { id: number; api: ApiClient };
    const id = await announce(admin, { user_ids: [userId, 500], title: 'left behind' });
    const until = new Date(test.clock.now().getTime() + 30_000).toISOString();
    const claimed = until.replace('T', ' ').replace('Z', '');
    await test.query(`UPDATE announcements SET recalled_at = '${claimed}' WHERE id = ${id}`);
    await test.query(`INSERT INTO announcement_recalls VALUES (${id}, '${claimed}')`);
    const next = await announce(admin, { broadcast: true });
    await recall(admin, next);
    expect(await titlesOf(api)).toContain('left behind');
    test.clock.advance(30);
    await untilRecalled(test);
    expect(await titlesOf(api)).not.toContain('left behind');
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

  it('is counted when somebody asks, and again after five minutes', async () => {
    const [one, two, three] = await someReaders(test, 3);
    const id = await announce(admin, { broadcast: true });
    expect((await announcementOf(admin, id)).reach).toEqual({ delivered: 0, read: 0, counted_at: null });
    expect(await reachOf(admin, id, test.clock.now())).toEqual({ delivered: 0, read: 0 });
    await titlesOf(one?.api as ApiClient);
    await titlesOf(two?.api as ApiClient);
    await two?.api.put('/api/notifications/all/read');
    test.clock.advance(299);
    const counted = (await announcementOf(admin, id)).reach.counted_at;
    for (let time = 0; time < 5; time += 1) await announcementOf(elsewhere, id);
    expect((await announcementOf(admin, id)).reach.counted_at).toBe(counted);
    test.clock.advance(1);
    expect(await reachOf(elsewhere, id, test.clock.now())).toEqual({ delivered: 2, read: 1 });
    const newest = (await listOf(one?.api as ApiClient)).list[0]?.id;
    await one?.api.put(`/api/notifications/${newest}/read`);
    await three?.api.put('/api/notifications/all/read');
    test.clock.advance(300);
    expect(await reachOf(admin, id, test.clock.now())).toEqual({ delivered: 3, read: 3 });
    // Unread once more, and one is deleted.
    await one?.api.put(`/api/notifications/${newest}/unread`);
    const deleted = (await listOf(three?.api as ApiClient)).list[0]?.id;
    await three?.api.delete(`/api/notifications/${deleted}`);
    test.clock.advance(300);
    expect(await reachOf(admin, id, test.clock.now())).toEqual({ delivered: 2, read: 1 });
  });

  it('is counted over thousands, in parts', async () => {
    const id = await announce(admin, { user_ids: (await someReaders(test, 2)).map((one) => one.id) });
    const rows = Array.from(
      { length: 2_998 },
      (_, index) => `(${1_000_000 + index}, 1, 'news', 'T', 'C', ${index % 3}, '2026-01-31', ${id})`,
    );
    await test.query(
      `INSERT INTO notifications (user_id, seq, type, title, content, unread_epoch, created_at, announcement_id)
       VALUES ${rows.join(', ')}`,
    );
    const counts = rows.map((_, index) => `(${1_000_000 + index}, 3, 0, 'news', 1, 1, 1)`);
    await test.query(
      `INSERT INTO notification_counts (user_id, level, block, type, total, unread, epoch) VALUES ${counts.join(', ')}`,
    );
    test.clock.advance(300);
    // Unread are those of the epoch that holds, the two real ones among them.
    expect(await reachOf(admin, id, test.clock.now())).toEqual({ delivered: 3_000, read: 1_999 });
  });

  it('is counted by one instance at a time, and by another when that one is gone', async () => {
    const id = await announce(admin, { user_ids: (await someReaders(test, 2)).map((one) => one.id) });
    const until = new Date(test.clock.now().getTime() + 30_000)
      .toISOString()
      .replace('T', ' ')
      .replace('Z', '');
    await test.query(
      `UPDATE announcement_reaches SET claimed_until = '${until}' WHERE announcement_id = ${id}`,
    );
    const next = await announce(admin, { broadcast: true });
    await announcementOf(admin, id);
    // They are counted one after the other: when this one is, that one would be.
    expect(await reachOf(admin, next, test.clock.now())).toEqual({ delivered: 0, read: 0 });
    expect((await announcementOf(elsewhere, id)).reach.counted_at).toBeNull();
    test.clock.advance(30);
    expect(await reachOf(elsewhere, id, test.clock.now())).toEqual({ delivered: 2, read: 0 });
  });
});
