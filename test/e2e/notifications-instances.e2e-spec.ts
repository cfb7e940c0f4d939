import type { ApiClient } from '../support/api-client';
import { createUser, getUnreadCount, listNotifications, repairCounters } from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

/** The end of a block of the inbox map: the first notification is in it, and the others in the next one. */
const LAST_POSITION = 1_022;

/** One instance keeps the map of an inbox in memory while the other one changes the inbox. */
describe('Pages of an inbox that another instance changes', () => {
  let test: TestApp;
  let other: TestApp;
  let admin: ApiClient;
  let api: ApiClient;
  let elsewhere: ApiClient;
  let userId: number;
  let ids: number[];
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database });
    admin = await testUser(other.api, { id: 1, role: 'admin' });
  });
  beforeEach(async () => {
    const user = await createUser(test.api);
    api = user.api;
    elsewhere = await other.api.as({ id: user.id });
    await getUnreadCount(api);
    await test.query(
      `UPDATE notification_inboxes SET last_seq = ${LAST_POSITION} WHERE user_id = ${user.id}`,
    );
    for (const title of ['1', '2', '3', '4']) await send(user.id, title);
    ids = (await listNotifications(api)).list.map(({ id }) => id).toReversed();
    expect(await lists()).toEqual(['4321', '', '4321']);
    userId = user.id;
  });
  afterEach(async () => expect(await repairCounters(test)).toEqual([]));
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  const send = (id: number, title: string) =>
    admin.post('/api/admin/notifications', { user_ids: [id], type: 't', title, content: 'C' });
  /** Returns the titles of the unread, the read and all notifications, each read with the cached map. */
  const lists = async (): Promise<string[]> => {
    const titles: string[] = [];
    for (const query of ['&is_read=0', '&is_read=1', '']) {
      const { list, total } = await listNotifications(api, query);
      expect(list).toHaveLength(total);
      titles.push(list.map(({ title }) => title).join(''));
    }
    return titles;
  };
  const path = (title: string) => `/api/notifications/${ids[Number(title) - 1]}`;

  it('are current after it marks one unread again', async () => {
    await elsewhere.put('/api/notifications/all/read');
    expect(await lists()).toEqual(['', '4321', '4321']);
    await elsewhere.put(`${path('2')}/unread`);
    expect(await lists()).toEqual(['2', '431', '4321']);
  });

  it('are current after it deletes the only one of a block and delivers another', async () => {
    await elsewhere.delete(path('1'));
    await send(userId, '5');
    expect(await lists()).toEqual(['5432', '', '5432']);
  });

  it.each([
    ['marks one read', () => elsewhere.put(`${path('3')}/read`), ['421', '3', '4321']],
    ['marks all read', () => elsewhere.put('/api/notifications/all/read'), ['', '4321', '4321']],
    ['deletes one of a block', () => elsewhere.delete(path('3')), ['421', '', '421']],
    ['delivers one', () => send(userId, '5'), ['54321', '', '54321']],
    ['deletes the only one of a block', () => elsewhere.delete(path('1')), ['432', '', '432']],
  ])('are current after it %s', async (_change, change, expected) => {
    expect((await change()).body.code).toBe(0);
    expect(await lists()).toEqual(expected);
  });
});
