import type { ApiClient } from '../support/api-client';
import { createCall } from '../support/calls';
import { listNotifications, createUser } from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const SEND = '/api/admin/notifications';
const TEXT = { type: 'order', title: 'T', content: 'C' };

describe('The data of a notification', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await testUser(test.api, { id: 1, role: 'admin' });
  });
  afterAll(() => test?.close());

  const send = async (body: object) => (await admin.post(SEND, { ...TEXT, ...body })).body;
  const dataOf = async (api: ApiClient): Promise<unknown[]> =>
    (await listNotifications(api)).list.map((item) => (item as { data?: unknown }).data);
  const eventsOf = async (api: ApiClient) => (await api.get('/api/events/poll?limit=500')).body.data.items;

  const ODD = JSON.parse(
    '{"order_id":7,"deep":{"a":[1,null,"😀"]},"__proto__":{"x":1},"constructor":"c","":0}',
  ) as object;

  it('is returned as sent, in the list and the event, and after reading and unreading', async () => {
    const { id, api } = await createUser(test.api);
    expect((await send({ user_ids: [id], data: ODD })).code).toBe(0);
    const [notification] = (await listNotifications(api)).list;
    const text = JSON.stringify((notification as { data?: unknown }).data);
    expect(text).toBe(JSON.stringify(ODD));
    const [created] = await eventsOf(api);
    expect(JSON.stringify(created.notification)).toBe(JSON.stringify(notification));
    await api.put(`/api/notifications/${notification?.id}/read`);
    const unread = await api.put(`/api/notifications/${notification?.id}/unread`);
    expect(JSON.stringify(unread.body.data.data)).toBe(text);
    expect(JSON.stringify((await eventsOf(api)).at(-1).notification.data)).toBe(text);
  });

  it('is part of broadcasts too', async () => {
    const { api } = await createUser(test.api);
    await send({ broadcast: true, data: { page: 'news' } });
    await send({ broadcast: true });
    expect(await dataOf(api)).toEqual([{ announcement_id: 2 }, { page: 'news' }]);
    expect(
      (await eventsOf(api)).map((event: { notification: { data: unknown } }) => event.notification.data),
    ).toEqual([{ page: 'news' }, { announcement_id: 2 }]);
  });

  it.each([[undefined], [null], ['']])('is null when %j is sent', async (data) => {
    const { id, api } = await createUser(test.api);
    await send({ user_ids: [id], data });
    expect(await dataOf(api)).toEqual([null]);
  });

  it('is at most 2,048 bytes of JSON', async () => {
    const { id, api } = await createUser(test.api);
    const longest = { a: '语'.repeat(680) };
    expect(Buffer.byteLength(JSON.stringify(longest))).toBe(2048);
    expect((await send({ user_ids: [id], data: longest })).code).toBe(0);
    expect(await dataOf(api)).toEqual([longest]);
    const longer = { a: `${'语'.repeat(680)}x` };
    expect(await send({ user_ids: [id], data: longer })).toEqual({
      code: 422,
      message: 'data 取值无效',
      data: null,
    });
  });

  it.each([
    ['x', 'data 必须是对象'],
    [7, 'data 必须是对象'],
    [[], 'data 必须是对象'],
    [{ a: 'nul \0' }, 'data 取值无效'],
  ])('is rejected as %j', async (data, message) => {
    const { id } = await createUser(test.api);
    expect(await send({ user_ids: [id], data })).toEqual({ code: 422, message, data: null });
  });

  it('of a missed call contains the call, the caller and the media type', async () => {
    const call = await createCall(test.api, 'cancelled', { media_type: 'video' });
    const data = { call_id: call.id, peer_id: call.callerId, media_type: 'video' };
    expect((await listNotifications(call.callee)).list).toMatchObject([{ type: 'call_missed', data }]);
  });
});
