import * as fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { propertyRuns } from '../../../test/support/property-runs.js';
import { eventually } from '../../../test/support/service-process.js';
import type { Callboard, LiveNotifications, NotificationsState } from '../src/index.js';
import { PeopleOfService } from './support/people.js';

const PER_PAGE = 4;
const ACTS = [
  'send',
  'send',
  'send',
  'read',
  'unread',
  'delete',
  'all',
  'more',
  'archive',
  'archive',
  'restore',
] as const;

const steps = fc.array(
  fc.record({
    act: fc.constantFrom(...ACTS),
    which: fc.nat({ max: 9 }),
    type: fc.constantFrom('order', 'system'),
  }),
  { minLength: 5, maxLength: 25 },
);

describe('LiveNotifications', () => {
  let people: PeopleOfService;
  beforeAll(async () => {
    people = await PeopleOfService.start();
  });
  afterAll(() => people?.stop());

  async function send(client: Callboard, type: string, title: string): Promise<void> {
    const body = { user_ids: [await client.userId()], type, title, content: 'Text' };
    const { code } = await people.service.send(1, 'POST', '/api/admin/notifications', body, 'admin');
    expect(code).toBe(0);
  }

  const until = (live: LiveNotifications, isSo: (state: NotificationsState | undefined) => boolean) =>
    eventually(async () => live.getSnapshot(), isSo);
  const titles = (state: NotificationsState | undefined): string[] | undefined =>
    state?.notifications.map(({ title, is_read }) => (is_read === 1 ? `${title} read` : title));

  it('loads pages without gaps or duplicates while notifications arrive', async () => {
    const client = await people.signIn();
    for (let number = 1; number <= 9; number += 1) await send(client, 'order', `n${number}`);
    const live = client.live.notifications({ perPage: PER_PAGE });
    await until(live, (state) => state?.notifications.length === 4);
    expect(live.getSnapshot()?.hasMore).toBe(true);
    await send(client, 'order', 'n10');
    await until(live, (state) => state?.notifications.length === 5);
    await live.loadMore();
    expect(titles(live.getSnapshot())).toEqual(['n10', 'n9', 'n8', 'n7', 'n6', 'n5', 'n4', 'n3']);
    await live.loadMore();
    expect(titles(live.getSnapshot())?.slice(8)).toEqual(['n2', 'n1']);
    expect(live.getSnapshot()?.hasMore).toBe(false);
    live.close();
  });

  it('keeps the position of a notification that is read in a list of unread ones', async () => {
    const client = await people.signIn();
    for (const title of ['one', 'two', 'three']) await send(client, 'order', title);
    await send(client, 'system', 'other');
    const live = client.live.notifications({ type: 'order', unreadOnly: true, perPage: PER_PAGE });
    await until(live, (state) => state?.notifications.length === 3);
    const id = live.getSnapshot()?.notifications[1]?.id ?? 0;
    await client.notifications.markRead({ path: { id } });
    await until(live, (state) => state?.notifications[1]?.is_read === 1);
    expect(titles(live.getSnapshot())).toEqual(['three', 'two read', 'one']);
    await live.reload();
    expect(titles(live.getSnapshot())).toEqual(['three', 'one']);
    live.close();
  });

  it('is equal to what the service returns, after random operations', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const client = await people.signIn();
        const live = client.live.notifications({ perPage: PER_PAGE });
        const archive = client.live.notifications({ perPage: PER_PAGE, archived: true });
        const allOf = async (archived: 0 | 1) =>
          (await client.notifications.list({ query: { per_page: 100, archived } })).list;
        for (const [number, { act, which, type }] of all.entries()) {
          const list = await allOf(act === 'restore' ? 1 : 0);
          const path = { id: list[which % Math.max(list.length, 1)]?.id ?? 1 };
          if (act === 'send') await send(client, type, `n${number}`);
          else if (act === 'all') await client.notifications.markAllRead({ body: { type } });
          else if (act === 'more') await live.loadMore();
          else if (list.length === 0) continue;
          else if (act === 'read') await client.notifications.markRead({ path });
          else if (act === 'unread') await client.notifications.markUnread({ path });
          else if (act === 'archive') await client.notifications.archive({ path });
          else if (act === 'restore') await client.notifications.restore({ path });
          else await client.notifications.delete({ path });
        }
        for (const [store, archived] of [
          [live, 0],
          [archive, 1],
        ] as const) {
          const list = await allOf(archived);
          await until(store, (state) => state !== undefined);
          while (store.getSnapshot()?.hasMore === true) await store.loadMore();
          const state = await until(store, (now) => isDeepStrictEqual(now?.notifications, list));
          expect(state?.notifications).toEqual(list);
          store.close();
        }
      }),
      { ...propertyRuns(8), endOnFailure: true },
    );
  });
});
