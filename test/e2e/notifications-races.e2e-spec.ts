import { AsyncLocalStorage } from 'node:async_hooks';
import { Transactions } from '../../src/database/transactions';
import { Inboxes } from '../../src/notifications/services/inboxes';
import { NotificationsService } from '../../src/notifications/services/notifications.service';
import type { ApiResponse, ApiClient } from '../support/api-client';
import { onMysql } from '../support/database';
import { listNotifications, createUser, repairCounters, getUnreadCount } from '../support/notifications';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const REPETITIONS = raceRounds(50);
/** Last positions in an inbox. The second is near the end of a block of the inbox map. */
const HEIGHTS = [0, 1_010, 140_000];

const repeat = async (work: (round: number) => Promise<void>) => {
  for (let round = 0; round < REPETITIONS; round += 1) await work(round);
};
const keepReading = async (api: ApiClient) => {
  for (let look = 0; look < 4; look += 1) await getUnreadCount(api);
};
const expectAll = (responses: ApiResponse[], code: number) =>
  expect(responses.map(({ body }) => body.code)).toEqual(responses.map(() => code));

describe('Concurrent notification requests', () => {
  let test: TestApp;
  let admin: ApiClient;

  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  afterEach(async () => {
    expect(await repairCounters(test)).toEqual([]);
  });
  afterAll(() => test?.close());

  const arrive = () => createUser(test.api);
  const startAbove = async (height: number, id: number, api: ApiClient) => {
    // Creates the inbox.
    await getUnreadCount(api);
    await test.query(`UPDATE notification_inboxes SET last_seq = ${height} WHERE user_id = ${id}`);
  };
  const send = (body: object) =>
    admin.post('/api/admin/notifications', { type: 'a', title: 'T', content: 'C', ...body });
  it('count one of twenty marks of one notification', async () => {
    const { id, api } = await arrive();
    await send({ user_ids: [id], title: 'other' });
    await repeat(async (round) => {
      await send({ user_ids: [id] });
      const newest = (await listNotifications(api)).list[0]?.id;
      expectAll(
        await Promise.all(Array.from({ length: 20 }, () => api.put(`/api/notifications/${newest}/read`))),
        0,
      );
      expect(await getUnreadCount(api)).toEqual({ count: 1, by_type: { a: 1 } });
      expect((await listNotifications(api, '&is_read=1')).total).toBe(round + 1);
    });
  });

  it('count each notification created during a mark-all or keep it unread', async () => {
    const { id, api } = await arrive();
    await repeat(async () => {
      const [, marked] = await Promise.all([
        Promise.all(Array.from({ length: 5 }, (_, index) => send({ user_ids: [id], type: `t${index % 2}` }))),
        api.put('/api/notifications/all/read'),
      ]);
      const left = await getUnreadCount(api);
      expect(marked.body.data.affected + left.count).toBe(5);
      expect((await listNotifications(api, '&is_read=0')).total).toBe(left.count);
      expect((await api.put('/api/notifications/all/read')).body.data).toEqual({ affected: left.count });
    });
    expect((await listNotifications(api)).total).toBe(5 * REPETITIONS);
  });

  it('count each notification in only one of two mark-alls', async () => {
    const { id, api } = await arrive();
    await repeat(async () => {
      for (const type of ['a', 'b', 'b']) await send({ user_ids: [id], type });
      const responses = await Promise.all([
        api.put('/api/notifications/all/read'),
        api.put('/api/notifications/all/read', { type: 'b' }),
      ]);
      const affected = responses.map(({ body }) => body.data.affected as number);
      expect([
        [3, 0],
        [1, 2],
      ]).toContainEqual(affected);
      expect(await getUnreadCount(api)).toEqual({ count: 0, by_type: {} });
    });
  });

  it('materialise a broadcast once for concurrent first reads', async () => {
    await repeat(async (round) => {
      const { api } = await arrive();
      const title = `round ${round}`;
      const [sent, ...looks] = await Promise.all([
        send({ broadcast: true, title }),
        api.get('/api/notifications'),
        api.get('/api/notifications/unread-count'),
        api.put('/api/notifications/all/read'),
        api.get('/api/notifications?is_read=1'),
      ]);
      expectAll([sent, ...looks], 0);
      const all = await listNotifications(api);
      expect(all.list.map((item) => item.title)).toEqual([title]);
      expect((await getUnreadCount(api)).count).toBe(all.list[0]?.is_read === 1 ? 0 : 1);
    });
  });

  it('neither lose nor repeat concurrent broadcasts during reads', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, arrive));
    for (const { api } of people) await getUnreadCount(api);
    const before = await Promise.all(people.map(async ({ api }) => (await getUnreadCount(api)).count));
    await repeat(async (round) => {
      const [sent] = await Promise.all([
        Promise.all(Array.from({ length: 4 }, () => send({ broadcast: true, title: `round ${round}` }))),
        ...people.map(({ api }) => keepReading(api)),
      ]);
      expectAll(sent, 0);
      const counts = await Promise.all(people.map(async ({ api }) => (await getUnreadCount(api)).count));
      expect(counts).toEqual(before.map((count) => count + 4 * (round + 1)));
    });
  });

  it('leave a broadcast sent while an inbox is materialised to the next read', async () => {
    // SQLite has one connection, so no other statement can run in between.
    if (!onMysql()) return;
    const { id, api } = await arrive();
    const before = (await getUnreadCount(api)).count;
    await send({ broadcast: true, title: 'before' });
    // The interleaved request belongs to another user and must not join this transaction's context.
    const elsewhere = AsyncLocalStorage.snapshot();
    await test.app.get(Transactions).run(async (em) => {
      const inboxes = await test.app.get(Inboxes).lock(em, [id]);
      expectAll([await elsewhere(() => send({ broadcast: true, title: 'in the middle' }))], 0);
      await test.app.get(Inboxes).deliver(em, inboxes);
    });
    expect((await getUnreadCount(api)).count).toBe(before + 2);
  });

  it('accept a dedupe key once, also for an unopened inbox', async () => {
    await repeat(async (round) => {
      const { id, api } = await arrive();
      await getUnreadCount(api);
      const before = (await listNotifications(api)).total;
      const dedupe_key = `race ${round}`;
      const responses = await Promise.all(
        Array.from({ length: 5 }, () => send({ user_ids: [id], dedupe_key })),
      );
      const created = responses.map(({ body }) => body.data.created as number);
      expect(created.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 1]);
      expect((await listNotifications(api)).total).toBe(before + 1);
    });
  });

  it('delete a notification once, and subtract it once', async () => {
    const { id, api } = await arrive();
    await repeat(async () => {
      await send({ user_ids: [id] });
      const newest = (await listNotifications(api)).list[0]?.id;
      const responses = await Promise.all([
        ...Array.from({ length: 3 }, () => api.delete(`/api/notifications/${newest}`)),
        api.put(`/api/notifications/${newest}/read`),
        api.put(`/api/notifications/${newest}/unread`),
      ]);
      const deleted = responses.slice(0, 3).filter(({ body }) => body.code === 0);
      expect(deleted).toHaveLength(1);
      expect(await getUnreadCount(api)).toEqual({ count: 0, by_type: {} });
      expect((await listNotifications(api)).total).toBe(0);
    });
  });

  it.each(HEIGHTS)('return only consistent pages, above %i, while notifications arrive', async (height) => {
    const { id, api } = await arrive();
    await startAbove(height, id, api);
    const titles: string[] = [];
    await repeat(async (round) => {
      const comeOneByOne = async () => {
        for (let index = 0; index < 2; index += 1) {
          titles.push(`${round}.${index}`);
          await send({ user_ids: [id], title: titles.at(-1), type: `t${index}` });
        }
      };
      const [pages] = await Promise.all([
        Promise.all(Array.from({ length: 6 }, () => listNotifications(api, '&is_read=0'))),
        comeOneByOne(),
      ]);
      for (const { list, total } of pages) {
        expect(list.map(({ title }) => title)).toEqual(titles.slice(0, total).toReversed());
      }
    });
  });

  it.each(HEIGHTS)(
    'return only consistent pages, above %i, while notifications are deleted',
    async (height) => {
      const { id, api } = await arrive();
      await startAbove(height, id, api);
      for (let index = 0; index < REPETITIONS; index += 1)
        await send({ user_ids: [id], type: `t${index % 2}` });
      const { list: all } = await listNotifications(api);
      await repeat(async (round) => {
        const newest = all[round];
        const pages = await Promise.all([
          ...Array.from({ length: 4 }, () => listNotifications(api, '&is_read=0')),
          api.put(`/api/notifications/${newest?.id}/read`).then(() => listNotifications(api, '&is_read=0')),
        ]);
        for (const { list, total } of pages) {
          expect(list.map((item) => item.id)).toEqual(all.slice(REPETITIONS - total).map((item) => item.id));
        }
      });
    },
  );

  it('keep every inbox exact when many users are notified, in any order', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, arrive));
    const ids = people.map(({ id }) => id);
    const transactions = test.app.get(Transactions);
    const notifications = test.app.get(NotificationsService);
    const before = await Promise.all(people.map(async ({ api }) => (await listNotifications(api)).total));
    await Promise.all(
      Array.from({ length: REPETITIONS }, (_, round) =>
        transactions.run((em) =>
          notifications.notify(em, round % 2 ? ids : ids.toReversed(), {
            type: `t${round % 3}`,
            title: 'T',
            content: 'C',
          }),
        ),
      ),
    );
    for (const [index, { api }] of people.entries()) {
      expect((await listNotifications(api)).total).toBe((before[index] ?? 0) + REPETITIONS);
    }
  });
});
