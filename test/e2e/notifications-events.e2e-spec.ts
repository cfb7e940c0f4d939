import type { ApiClient } from '../support/api-client';
import { createCall, createUsers, newUserIds } from '../support/calls';
import { createTestApp, type TestApp } from '../support/test-app';

interface Item {
  id: number;
  type: string;
  notification?: { id: number };
}

describe('Events of notifications', () => {
  let test: TestApp;
  let admin: ApiClient;
  let userId: number;
  let user: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  afterAll(() => test?.close());
  beforeEach(async () => {
    [userId = 0] = newUserIds(1);
    [user = test.api] = await createUsers(test.api, userId);
  });

  const send = (body: object) =>
    admin.post('/api/admin/notifications', {
      user_ids: [userId],
      type: 'system',
      title: 'T',
      content: 'C',
      ...body,
    });
  const eventsOf = async (who = user): Promise<Item[]> =>
    (await who.get('/api/events/poll?after=0')).body.data.items;
  const idOfNewest = async (): Promise<number> => (await user.get('/api/notifications')).body.data.list[0].id;

  it('contain a new notification and the unread count', async () => {
    await send({});
    await send({ type: 'order', title: '你好', content: '…' });
    const { list } = (await user.get('/api/notifications')).body.data;
    expect(await eventsOf()).toEqual([
      {
        id: 1,
        type: 'notification.created',
        created_at: '2026-01-31T08:00:00.000Z',
        notification: list[1],
        unread_count: 1,
        by_type: { system: 1 },
      },
      {
        id: 2,
        type: 'notification.created',
        created_at: '2026-01-31T08:00:00.000Z',
        notification: list[0],
        unread_count: 2,
        by_type: { order: 1, system: 1 },
      },
    ]);
  });

  it('contain the recipient’s own notification', async () => {
    const ids = newUserIds(3);
    const people = await createUsers(test.api, ...ids);
    await send({ user_ids: ids });
    for (const person of people) {
      const { list } = (await person.get('/api/notifications')).body.data;
      expect(await eventsOf(person)).toMatchObject([
        { type: 'notification.created', notification: list[0], unread_count: 1 },
      ]);
    }
  });

  it('are sent to 500 recipients', async () => {
    const ids = newUserIds(500);
    const people = await createUsers(test.api, ...ids);
    expect((await send({ user_ids: ids })).body.data).toMatchObject({ created: 500 });
    for (const person of [people.at(0), people.at(-1)]) {
      expect(await eventsOf(person)).toMatchObject([{ id: 1, unread_count: 1 }]);
    }
  });

  it('are not sent for a duplicate dedupe key', async () => {
    await send({ dedupe_key: 'once' });
    await send({ dedupe_key: 'once' });
    expect(await eventsOf()).toHaveLength(1);
  });

  it('contain a broadcast once for polling clients', async () => {
    await send({ user_ids: undefined, broadcast: true });
    await send({ user_ids: undefined, broadcast: true });
    const [one, other] = await Promise.all([eventsOf(), eventsOf()]);
    expect(one).toMatchObject([
      { type: 'notification.created', unread_count: 2 },
      { type: 'notification.created', unread_count: 2 },
    ]);
    expect(other).toEqual(one);
    await user.get('/api/notifications');
    expect(await eventsOf()).toEqual(one);
  });

  it('are sent for read and read all, and not when repeated', async () => {
    await send({});
    await send({});
    await send({ type: 'order' });
    const id = await idOfNewest();
    await user.put(`/api/notifications/${id}/read`);
    await user.put(`/api/notifications/${id}/read`);
    await user.put('/api/notifications/all/read', { type: 'system' });
    await user.put('/api/notifications/all/read');
    await user.put(`/api/notifications/${id}/unread`);
    await user.put(`/api/notifications/${id}/unread`);
    await user.put('/api/notifications/all/read');
    await user.delete(`/api/notifications/${id}`);
    expect((await eventsOf()).slice(3)).toMatchObject([
      { type: 'notification.read', id: 4, notification_id: id, unread_count: 2, by_type: { system: 2 } },
      { type: 'notification.all_read', notification_type: 'system', unread_count: 0, by_type: {} },
      { type: 'notification.unread', notification: { id, is_read: 0 }, unread_count: 1 },
      { type: 'notification.all_read', notification_type: null, unread_count: 0 },
      { type: 'notification.deleted', notification_id: id, unread_count: 0 },
    ]);
  });

  it('of a missed call contain the call and its notification, in one transaction', async () => {
    const fixture = await createCall(test.api, 'cancelled');
    const events = await eventsOf(fixture.callee);
    expect(events.map(({ type }) => type)).toEqual([
      'call.ringing',
      'call.cancelled',
      'call.missed',
      'notification.created',
    ]);
    expect(events[3]).toMatchObject({ notification: { type: 'call_missed' }, unread_count: 1 });
  });

  it('continue from the cursor of the unread count', async () => {
    await send({});
    const response = await user.get('/api/notifications/unread-count');
    expect(response.headers['x-event-cursor']).toBe('1');
    await send({});
    expect((await user.get('/api/events/poll?after=1')).body.data.items).toMatchObject([
      { id: 2, unread_count: 2 },
    ]);
  });
});
