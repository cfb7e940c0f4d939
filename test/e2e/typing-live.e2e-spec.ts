import type { AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { newUserIds } from '../support/calls';
import { EventReader, type Frame } from '../support/event-reader';
import { ChatUser, dataOf, errorOf } from '../support/messaging';
import { scrape } from '../support/metrics';
import { block } from '../support/people';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

describe('Typing', () => {
  let test: TestApp;
  let url: string;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  const readers: EventReader[] = [];
  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(test.app.getHttpServer().address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    test.clock.set(START);
    [ann, ben, cat] = (await ChatUser.signInAll(test.api, newUserIds(3))) as [ChatUser, ChatUser, ChatUser];
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });
  afterAll(() => test?.close());

  const listen = async ({ id }: ChatUser, lastEventId?: number): Promise<EventReader> => {
    const reader = await EventReader.open(url, { userId: id, lastEventId });
    readers.push(reader);
    return reader;
  };
  const type = ({ api }: ChatUser, conversation: number, body?: object) =>
    api.post(`/api/messages/conversations/${conversation}/typing`, body);
  const typingIn = ({ frames }: EventReader): Frame[] =>
    frames.filter(({ event }) => event === 'conversation.typing');
  const saidIn = (reader: EventReader): boolean[] => typingIn(reader).map(({ data }) => data.typing);
  /** Sends an event and waits until it arrives, so that all earlier events have arrived. */
  const settle = async (reader: EventReader, { id }: ChatUser): Promise<void> => {
    const before = reader.types.filter((name) => name === 'notification.created').length;
    const admin = await test.api.as({ id: 1, role: 'admin' });
    await admin.post('/api/admin/notifications', { user_ids: [id], type: 'x', title: 'x', content: 'x' });
    await reader.until(() => reader.types.filter((name) => name === 'notification.created').length > before);
  };

  it('is published live to the other members, without an id, and not to the typing user', async () => {
    const group = await ann.createGroup([ben.id, cat.id]);
    const [annStream, benStream, catStream] = [await listen(ann), await listen(ben), await listen(cat)];
    expect((await type(ann, group)).body).toEqual({ code: 0, message: '操作成功', data: null });
    for (const reader of [benStream, catStream]) {
      await reader.until(() => typingIn(reader).length > 0);
      expect(typingIn(reader)).toEqual([
        {
          event: 'conversation.typing',
          data: {
            type: 'conversation.typing',
            created_at: START,
            conversation_id: group,
            user_id: ann.id,
            typing: true,
          },
        },
      ]);
    }
    await settle(annStream, ann);
    expect(typingIn(annStream)).toEqual([]);
  });

  it('is in no table, no poll and no resumed stream', async () => {
    const chat = await ann.openSingle(ben.id);
    const benStream = await listen(ben);
    const count = async (): Promise<unknown> =>
      test.query(
        'SELECT (SELECT COUNT(*) FROM events) AS events, (SELECT SUM(last_seq) FROM event_cursors) AS n',
      );
    const before = await count();
    await type(ann, chat);
    await benStream.until(() => typingIn(benStream).length === 1);
    expect(await count()).toEqual(before);
    expect(dataOf(await ben.api.get('/api/events/poll?limit=500')).items).toMatchObject([
      { type: 'conversation.updated' },
    ]);
    const resumed = await listen(ben, 0);
    await settle(resumed, ben);
    expect(typingIn(resumed)).toEqual([]);
  });

  it('is published once in three seconds, then the last state; stopping is published immediately', async () => {
    const chat = await ann.openSingle(ben.id);
    const listener = await listen(ben);
    for (let count = 0; count < 5; count += 1) await type(ann, chat, { typing: true });
    await settle(listener, ben);
    expect(saidIn(listener)).toEqual([true]);
    test.clock.advance(3);
    await listener.until(() => saidIn(listener).length === 2);
    await type(ann, chat, {});
    await type(ann, chat, { typing: false });
    await listener.until(() => saidIn(listener).length === 3);
    test.clock.advance(3);
    await settle(listener, ben);
    expect(saidIn(listener)).toEqual([true, true, false]);
  });

  it('is not published across a block, with the usual response', async () => {
    const chat = await ann.openSingle(ben.id);
    const [annStream, benStream] = [await listen(ann), await listen(ben)];
    await block(ann.api, ben.id);
    const responses = [await type(ann, chat), await type(ben, chat)];
    expect(responses.map(({ body }) => body.code)).toEqual([0, 0]);
    await settle(annStream, ann);
    await settle(benStream, ben);
    expect([...typingIn(annStream), ...typingIn(benStream)]).toEqual([]);
  });

  it('that was deferred is not published after a block or a departure', async () => {
    const group = await ann.createGroup([ben.id]);
    const chat = await ann.openSingle(ben.id);
    const listener = await listen(ann);
    for (const place of [group, chat]) {
      await type(ben, place);
      await type(ben, place);
    }
    await listener.until(() => typingIn(listener).length === 2);
    await block(ann.api, ben.id);
    await ben.leave(group);
    test.clock.advance(3);
    // The typing of the other user is published afterwards.
    const other = await cat.openSingle(ann.id);
    await type(cat, other);
    await listener.until(() => typingIn(listener).length === 3);
    await settle(listener, ann);
    expect(typingIn(listener).map(({ data }) => data.user_id)).toEqual([ben.id, ben.id, cat.id]);
  });

  it('requires membership', async () => {
    const chat = await ann.openSingle(ben.id);
    expect(errorOf(await type(cat, chat))).toEqual([403, '无权访问此会话']);
    expect(errorOf(await type(ann, 123_456_789))).toEqual([403, '无权访问此会话']);
    expect(errorOf(await type(ann, chat, { typing: 'yes' }))).toEqual([422, 'typing 取值无效']);
  });

  it('is published among 200 members, and dropped among 201', async () => {
    const crowd = Array.from({ length: 199 }, (_, index) => 7_000_000 + index);
    await insertUsers(test.app.get(DataSource), crowd);
    const listener = await listen(ben);
    const group = await ann.createGroup([ben.id, ...crowd.slice(0, 198)]);
    const dropped = async () => (await scrape(test.api))['callboard_typing_total{outcome="dropped"}'] ?? 0;
    await type(ann, group);
    await listener.until(() => typingIn(listener).length === 1);
    const before = await dropped();
    await ann.add(group, crowd[198] ?? 0);
    test.clock.advance(10);
    expect((await type(ann, group)).body.code).toBe(0);
    await settle(listener, ben);
    expect(typingIn(listener)).toHaveLength(1);
    // Signals that other tests have queued are dropped as well.
    expect(await dropped()).toBeGreaterThan(before);
  });
});
