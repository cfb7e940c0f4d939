import { newUserIds } from '../support/calls';
import { ChatUser, dataOf, switchToLargeGroup } from '../support/messaging';
import { pushAll, register, route, type Target } from '../support/push';
import { PushChat } from '../support/push-chat';
import type { PushProviders } from '../support/push-providers';
import { START, type TestApp } from '../support/test-app';
import { Transactions } from '../../src/database/transactions';
import { SnoozeEnds } from '../../src/notifications/services/snooze-ends.job';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import { nextFanout } from '../../src/push/store/push-audience.store';

describe('Pushes of messages and notifications', () => {
  let fixture: PushChat;
  let test: TestApp;
  let providers: PushProviders;
  let ann: ChatUser;
  let ben: ChatUser;
  let chat: number;
  let target: Target;
  beforeAll(async () => {
    fixture = await PushChat.open();
    ({ test, providers } = fixture);
  });
  beforeEach(async () => {
    await fixture.reset();
    ({ ann, ben, chat, target } = fixture);
  });
  afterAll(() => fixture?.close());

  const pushed = () => fixture.pushed();
  const next = (seconds: number) => fixture.next(seconds);
  const admin = () => test.api.as({ id: 1, role: 'admin' });

  it('sends the newest of 50 messages at once, with the number of unread ones', async () => {
    for (let index = 1; index <= 50; index += 1) await ann.send(chat, `text ${index}`);
    await pushAll(test);
    expect(pushed()).toMatchObject([
      {
        type: 'message',
        title: 'Ann',
        body: 'text 50',
        unread_count: '50',
        badge: '50',
        conversation_id: `${chat}`,
      },
    ]);
  });

  it('counts what is due of every kind of target', async () => {
    await register(ben.api, { kind: 'gateway', token: 'g', provider: 'huawei', terminal_id: 'other' });
    await ann.send(chat);
    await route(test);
    expect(dataOf(await (await admin()).get('/api/admin/push'))).toMatchObject({ due: 2, fanouts: 0 });
  });

  it('sends further pushes of an unread conversation 5, 10, 20, 40 and 60 s apart', async () => {
    await ann.send(chat);
    await pushAll(test);
    const distances: number[] = [];
    for (let push = 0; push < 6; push += 1) {
      await ann.send(chat);
      let seconds = 0;
      while ((await next(5)).length === 0) seconds += 5;
      distances.push(seconds + 5);
    }
    expect(distances).toEqual([5, 10, 20, 40, 60, 60]);
  });

  it('keeps the distance when a message that was not sent is recalled', async () => {
    await ann.send(chat, 'first');
    await pushAll(test);
    await ann.send(chat, 'second');
    const { id } = await ann.send(chat, 'third');
    await route(test);
    await ann.recall(id);
    expect(await next(1)).toEqual([]);
    expect(await next(4)).toMatchObject([{ body: 'second' }]);
  });

  it('replaces a recalled message by an older one, silently', async () => {
    await ann.send(chat, 'older');
    const { id } = await ann.send(chat, 'recalled');
    await pushAll(test);
    await ann.recall(id);
    expect(await next(1)).toMatchObject([{ body: 'older', silent: 'true' }]);
    expect(providers.fcm[0]?.body.message.android.priority).toBe('NORMAL');
  });

  it('replaces, then removes, messages that the user has deleted on another terminal', async () => {
    const older = await ann.send(chat, 'older');
    const newer = await ann.send(chat, 'newer');
    await pushAll(test);
    await ben.delete(newer.id);
    expect(await next(1)).toMatchObject([{ type: 'message', body: 'older', silent: 'true' }]);
    await ben.delete(older.id);
    expect(await next(1)).toMatchObject([{ type: 'read', conversation_id: `${chat}` }]);
    expect(await test.query('SELECT id FROM push_jobs')).toEqual([]);
  });

  const openStream = async (): Promise<void> => {
    const at = START.replace('T', ' ').replace('Z', '');
    await test.query(`INSERT INTO instances (id, renewed_at) VALUES ('i${ben.id}', '${at}')`);
    await test.query(
      `INSERT INTO presence_streams (user_id, instance_id, since) VALUES (${ben.id}, 'i${ben.id}', '${at}')`,
    );
  };

  it('waits 10 s while the user has an open stream, although the user reads an older message', async () => {
    await openStream();
    const { id } = await ann.send(chat, 'first');
    await ann.send(chat, 'second');
    await route(test);
    await ben.read(chat, id);
    expect(await next(9)).toEqual([]);
    expect(await next(1)).toMatchObject([{ body: 'second' }]);
  });

  it('waits 10 s while the user has an open stream, and sends nothing of what was read meanwhile', async () => {
    await openStream();
    await ann.send(chat, 'first');
    await pushAll(test);
    expect(pushed()).toEqual([]);
    await ben.read(chat);
    expect(await next(10)).toEqual([]);
    await ann.send(chat, 'second');
    await route(test);
    expect(await next(10)).toMatchObject([{ body: 'second' }]);
  });

  it('removes what was read on another terminal, and sends the badge', async () => {
    await ann.send(chat);
    await pushAll(test);
    await ben.read(chat);
    expect(await next(1)).toMatchObject([{ type: 'read', badge: '0', conversation_id: `${chat}` }]);
    expect(providers.fcm[0]?.body.message.android.priority).toBe('NORMAL');
    expect(await test.query('SELECT id FROM push_jobs')).toEqual([]);
  });

  it('never sends a recalled message, nor a push of a muted conversation', async () => {
    const { id } = await ann.send(chat, 'recalled');
    await route(test);
    await ann.recall(id);
    await pushAll(test);
    await ann.send(chat, 'muted');
    await route(test);
    await ben.settings(chat, { muted: true });
    await pushAll(test);
    await ann.send(chat, 'still muted');
    await pushAll(test);
    expect(pushed()).toEqual([]);
  });

  it('tells nothing to the sender, also on other terminals', async () => {
    await register(ann.api, { kind: 'fcm', token: `fcm-${ann.id}` });
    await ann.send(chat);
    await pushAll(test);
    expect(pushed()).toMatchObject([{ user_id: `${ben.id}` }]);
  });

  it('sends no push about what was read by Web Push, and links the conversation', async () => {
    await test.query('DELETE FROM push_targets');
    await register(ben.api, {
      kind: 'webpush',
      terminal_id: 'browser',
      ...providers.subscribe(`b${ben.id}`),
    });
    await ann.send(chat, 'hello');
    await pushAll(test);
    expect(providers.webPush[0]?.body).toMatchObject({
      web_push: 8030,
      mutable: true,
      app_badge: '1',
      notification: {
        title: 'Ann',
        body: 'hello',
        tag: `conversation:${chat}`,
        navigate: `http://localhost:3000/conversations/${chat}`,
      },
    });
    await ben.read(chat);
    await next(1);
    expect(providers.webPush).toEqual([]);
  });

  it('sends messages of a large group to its members in batches', async () => {
    const group = await ann.createGroup([ben.id], 'Team');
    await switchToLargeGroup(test, group);
    await ann.send(group, 'to all');
    await pushAll(test);
    expect(pushed()).toMatchObject([{ title: 'Team · Ann', body: 'to all', user_id: `${ben.id}` }]);
    expect(await test.query('SELECT id FROM push_fanouts')).toEqual([]);
  });

  it('queues the members of a large group once for all messages that wait', async () => {
    const others = await Promise.all(newUserIds(2).map((id) => ChatUser.signIn(test.api, id, 'Cat')));
    const group = await ann.createGroup([ben.id, ...others.map(({ id }) => id)], 'Team');
    await switchToLargeGroup(test, group);
    const outbox = test.app.get(OutboxDispatcher);
    await ann.send(group, 'first');
    await outbox.dispatch();
    await ann.send(group, 'second');
    await outbox.dispatch();
    expect(await test.query('SELECT sender_id FROM push_fanouts')).toEqual([{ sender_id: ann.id }]);
    await ben.send(group, 'third');
    await outbox.dispatch();
    expect(await test.query('SELECT sender_id FROM push_fanouts')).toEqual([{ sender_id: 0 }]);
    await register(ann.api, { kind: 'fcm', token: `fcm-${ann.id}` });
    await pushAll(test);
    expect(pushed()).toMatchObject([{ body: 'third', user_id: `${ann.id}` }]);
  });

  it('sends the messages of large groups in turn with a broadcast', async () => {
    const group = await ann.createGroup([ben.id], 'Team');
    await switchToLargeGroup(test, group);
    const body = { broadcast: true, type: 'news', title: 'To all', content: 'Content' };
    await (await admin()).post('/api/admin/notifications', body);
    await ann.send(group, 'to all');
    await test.app.get(OutboxDispatcher).dispatch();
    const em = test.app.get(Transactions).read();
    expect(await Promise.all([nextFanout(em, 'message'), nextFanout(em, 'broadcast')])).toMatchObject([
      { type: 'message', object_id: group },
      { type: 'broadcast', object_id: null },
    ]);
  });

  it('sends a notification to its owner, once, and its removal when it is read', async () => {
    const body = { user_ids: [ben.id], type: 'news', title: 'Title', content: 'Content' };
    await (await admin()).post('/api/admin/notifications', body);
    await pushAll(test);
    expect(pushed()).toMatchObject([{ type: 'notification', title: 'Title', body: 'Content', badge: '1' }]);
    expect(await next(10)).toEqual([]);
    await ben.api.put('/api/notifications/all/read');
    expect(await next(1)).toMatchObject([{ type: 'read', badge: '0' }]);
  });

  it('sends a broadcast to every user with a target, and nothing twice', async () => {
    const others = await Promise.all(newUserIds(4).map((id) => ChatUser.signIn(test.api, id)));
    for (const { id, api } of others) await register(api, { kind: 'fcm', token: `fcm-${id}` });
    const body = { broadcast: true, type: 'news', title: 'To all', content: 'Content' };
    await (await admin()).post('/api/admin/notifications', body);
    await pushAll(test);
    const reached = pushed().map(({ user_id }) => Number(user_id));
    expect(reached.toSorted((a, b) => a - b)).toEqual([ben.id, ...others.map(({ id }) => id)]);
    expect(await next(60)).toEqual([]);
  });

  it('sends a notification at the end of its snooze, also after a week, and not when its user moves it back', async () => {
    const body = { user_ids: [ben.id], type: 'news', title: 'Title', content: 'Content' };
    await (await admin()).post('/api/admin/notifications', body);
    const { list } = dataOf(await ben.api.get('/api/notifications')) as { list: { id: number }[] };
    const path = `/api/notifications/${list[0]?.id}`;
    await pushAll(test);
    await ben.api.put(`${path}/archive`);
    expect(await next(1)).toMatchObject([{ type: 'read' }]);
    await ben.api.delete(`${path}/archive`);
    expect(await next(1)).toEqual([]);
    await ben.api.put(`${path}/snooze`, { snooze_until: '2026-02-07T08:00:00.000Z' });
    test.clock.set('2026-02-07T08:00:00.000Z');
    await test.app.get(SnoozeEnds).sweep();
    expect(await next(0)).toMatchObject([{ type: 'notification', title: 'Title' }]);
  });

  it('sends nothing of notifications that an inbox received long ago', async () => {
    const body = { broadcast: true, type: 'news', title: 'Old', content: 'Content' };
    await test.query('DELETE FROM push_targets');
    await (await admin()).post('/api/admin/notifications', body);
    await pushAll(test);
    test.clock.advance(4 * 86_400);
    await register(ben.api, { kind: 'fcm', token: 'new' });
    await ben.api.get('/api/notifications');
    await pushAll(test);
    expect(pushed()).toEqual([]);
  });

  it('counts the receipt of a push once for each rev', async () => {
    await ann.send(chat);
    await pushAll(test);
    const [{ topic = '', rev = '' } = {}] = pushed();
    const receipt = { target_id: target.id, topic, rev: Number(rev) };
    for (let time = 0; time < 3; time += 1)
      expect((await ben.api.post('/api/push/receipts', receipt)).status).toBe(200);
    await ben.api.post('/api/push/receipts', { ...receipt, rev: 99 });
    const [shown] = dataOf(await ben.api.get('/api/push/targets')).items as Target[];
    expect(shown).toMatchObject({ received: 1, received_at: START });
    expect((await ann.api.post('/api/push/receipts', receipt)).status).toBe(404);
  });
});
