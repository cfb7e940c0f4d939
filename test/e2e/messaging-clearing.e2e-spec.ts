import { DataSource } from 'typeorm';
import { newUserIds } from '../support/calls';
import type { AnyEvent } from '../support/conversation-terminal';
import { ChatUser, switchToLargeGroup, errorOf } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Clearing a conversation', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben, cat] = await ChatUser.annBenAndCat(test.api);
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2, 3]);
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  it.each([false, true])(
    'hides all current messages, as if the member had joined now (large: %s)',
    async (large) => {
      if (large) await switchToLargeGroup(test, group);
      const old = [await ann.send(group, 'one'), await ann.send(group, 'two')];
      test.clock.advance(60);
      await ben.clear(group);
      expect(await ben.history(group)).toMatchObject({ items: [], pagination: { total: 0, last_page: 1 } });
      for (const { id } of old) {
        expect(errorOf(await ben.tryHistory(group, `?before_id=${id}`))).toEqual([404, '消息不存在']);
        expect(errorOf(await ben.tryRead(group, { message_id: id }))).toEqual([404, '消息不存在']);
        expect(errorOf(await ben.tryDelete(id))).toEqual([404, '消息不存在']);
        expect(errorOf(await ben.tryRecall(id))).toEqual([404, '消息不存在']);
      }
      const later = [await ann.send(group, 'three'), await cat.send(group, 'four')];
      expect(await ben.unreadOf(group)).toBe(2);
      const page = await ben.history(group, '?per_page=1&page=2');
      expect(page).toMatchObject({ items: [{ id: later[0]?.id }], pagination: { total: 2, last_page: 2 } });
      expect((await ann.history(group)).pagination.total).toBe(4);
    },
  );

  it.each([false, true])('keeps the time and the list position (large: %s)', async (large) => {
    if (large) await switchToLargeGroup(test, group);
    test.clock.advance(60);
    const sent = await ann.send(group, 'hello');
    test.clock.advance(60);
    const other = await ben.createGroup([1]);
    const before = await ben.conversation(group);
    const order = (await ben.listedIds()).filter((id) => id === group || id === other);
    test.clock.advance(60);
    await ben.clear(group);
    expect(await ben.conversation(group)).toEqual({
      ...before,
      last_message: null,
      last_message_id: null,
      last_sender_id: null,
      last_sender_name: null,
      message_type: null,
      unread_count: 0,
      last_read_message_id: sent.id,
    });
    expect(before).toMatchObject({ last_message_at: '2026-01-31 16:01:00', last_sent_at: sent.sent_at });
    expect((await ben.listedIds()).filter((id) => id === group || id === other)).toEqual(order);
  });

  it('marks everything read, with receipts and events, and then publishes its own event', async () => {
    const single = await ann.openSingle(2);
    const sent = await ann.send(single);
    const last = await ann.send(single);
    test.clock.advance(5);
    await ben.clear(single);
    expect((await ann.peek(single))[0]).toMatchObject({
      is_read: true,
      read_at: '2026-01-31 16:00:05',
      read_count: 1,
    });
    const mine = (items: AnyEvent[]) => items.filter(({ conversation_id }) => conversation_id === single);
    expect(mine(await ann.events('conversation.read', 'conversation.cleared'))).toMatchObject([
      { type: 'conversation.read', user_id: 2, up_to_message_id: last.id, unread_count: null },
    ]);
    expect(mine(await ben.events('conversation.read', 'conversation.cleared'))).toMatchObject([
      { type: 'conversation.read', user_id: 2, up_to_message_id: last.id, unread_count: 0 },
      {
        type: 'conversation.cleared',
        up_to_message_id: last.id,
        conversation: await ben.conversation(single),
      },
    ]);
    expect(await ben.unreadTotal()).toBe(0);
    expect(await ann.readers(sent.id)).toMatchObject({ items: [{ user_id: 2 }], read_count: 1 });
  });

  it('keeps the read counts', async () => {
    const { id } = await ann.send(group);
    await ben.clear(group);
    expect((await ann.peek(group))[0]).toMatchObject({ read_count: 1, unread_count: 1 });
    await cat.clear(group);
    expect(await ann.readers(id)).toMatchObject({ read_count: 2, unread_count: 0 });
  });

  it('publishes null for an empty chat, and nothing when repeated', async () => {
    const empty = await ann.createGroup([2]);
    await ben.clear(empty);
    await ben.clear(empty);
    const received = (await ben.events('conversation.cleared')).filter(
      (one) => one.conversation_id === empty,
    );
    expect(received).toMatchObject([
      { up_to_message_id: null, conversation: { id: empty, last_sent_at: null } },
    ]);
    const sent = await ann.send(empty);
    await ben.clear(empty);
    await ben.clear(empty);
    const later = (await ben.events('conversation.cleared')).filter((one) => one.conversation_id === empty);
    expect(later.slice(1)).toMatchObject([{ up_to_message_id: sent.id }]);
  });

  it('keeps own messages recallable', async () => {
    const { id } = await ben.send(group);
    await ben.clear(group);
    expect(await ben.recall(id)).toMatchObject({ is_recalled: true });
    expect((await ann.peek(group))[0]).toMatchObject({ is_recalled: true });
    expect(await ben.conversation(group)).toMatchObject({ last_message: null });
    expect(errorOf(await ben.tryReaders(id))).toEqual([404, '消息不存在']);
  });

  it('hides later events of the cleared messages', async () => {
    const { id } = await ann.send(group);
    await ben.clear(group);
    const types = ['message.recalled', 'message.reacted'];
    const before = await ben.events(...types);
    await cat.react(id, '👍');
    await ann.recall(id);
    expect(await ben.events(...types)).toEqual(before);
    expect(await ben.conversation(group)).toMatchObject({ last_message: null, unread_count: 0 });
  });

  it('requires membership', async () => {
    const [dan] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    expect(errorOf(await dan.tryClear(group))).toEqual([403, '无权访问此会话']);
    expect(errorOf(await dan.tryClear(987_654_321))).toEqual([403, '无权访问此会话']);
    expect(errorOf(await dan.api.post('/api/messages/conversations/x/clear'))).toEqual([
      422,
      'id 必须是整数',
    ]);
  });

  it('is undone by joining again', async () => {
    await ann.send(group);
    await ben.clear(group);
    await ben.leave(group);
    await ann.add(group, 2);
    const later = await ann.send(group);
    expect(await ben.peek(group)).toMatchObject([{ id: later.id }]);
  });
});
