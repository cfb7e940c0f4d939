import { DataSource } from 'typeorm';
import { ChatUser } from '../support/messaging';
import type { Message } from '../support/messaging-types';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { sendConcurrently, type SendRequest } from '../support/sending';
import { createTestApp, type TestApp } from '../support/test-app';

interface PublishedMessage {
  type: string;
  message: Message;
  unread_count: number;
  up_to_message_id: number;
}

const by = (sender: number, content: string, id?: string): SendRequest => ({ senderId: sender, content, id });

describe('Batched sends', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben, cat] = (await ChatUser.signInAll(test.api, [1, 2, 3, 9])) as [ChatUser, ChatUser, ChatUser];
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const cursorOf = async (who: ChatUser): Promise<number> =>
    Number((await who.api.get('/api/messages/conversations')).headers['x-event-cursor']);
  const eventsAfter = async (who: ChatUser, cursor: number): Promise<PublishedMessage[]> =>
    (await who.api.get(`/api/events/poll?after=${cursor}&limit=500`)).body.data.items;

  it('publish each message to every member with its unread count', async () => {
    const group = await ann.createGroup([2, 3]);
    for (const content of ['old', 'gone', 'older']) await ann.send(group, content);
    const gone = (await cat.peek(group))[1]?.id ?? 0;
    await ann.recall(gone);
    const before = await Promise.all([ann, ben, cat].map(cursorOf));
    const ids = await sendConcurrently(test, group, [
      by(1, 'a'),
      by(2, 'b'),
      by(1, 'c'),
      by(2, 'd'),
      by(2, 'e'),
    ]);
    const receivedBy = async (who: ChatUser, index: number) =>
      (await eventsAfter(who, before[index] ?? 0)).map(({ type, message, unread_count, up_to_message_id }) =>
        type === 'message.created'
          ? [message.content, message.is_self, unread_count]
          : [type, up_to_message_id, unread_count],
      );
    // Ben and Cat have two earlier unread messages, not counting the recalled one.
    expect(await receivedBy(ann, 0)).toEqual([
      ['a', true, 0],
      ['b', false, 1],
      ['conversation.read', ids[1], 0],
      ['c', true, 0],
      ['d', false, 1],
      ['e', false, 2],
    ]);
    expect(await receivedBy(ben, 1)).toEqual([
      ['a', false, 3],
      ['conversation.read', ids[0], 0],
      ['b', true, 0],
      ['c', false, 1],
      ['conversation.read', ids[2], 0],
      ['d', true, 0],
      ['e', true, 0],
    ]);
    expect(await receivedBy(cat, 2)).toEqual([
      ['a', false, 3],
      ['b', false, 4],
      ['c', false, 5],
      ['d', false, 6],
      ['e', false, 7],
    ]);
    expect([await ann.unreadOf(group), await ben.unreadOf(group), await cat.unreadOf(group)]).toEqual([
      2, 0, 7,
    ]);
  });

  it('read earlier messages of the batch for their senders', async () => {
    const group = await ann.createGroup([2, 3]);
    await sendConcurrently(test, group, [by(1, 'a'), by(2, 'b'), by(3, 'c'), by(1, 'd')]);
    const counts = async (who: ChatUser) =>
      (await who.peek(group)).map(({ content, is_read, read_count, unread_count }) => [
        content,
        is_read,
        read_count,
        unread_count,
      ]);
    expect(await counts(ann)).toEqual([
      ['d', false, 0, 2],
      ['c', true, 1, 1],
      ['b', true, 2, 0],
      ['a', true, 2, 0],
    ]);
    expect(await counts(ben)).toEqual([
      ['d', false, 0, 2],
      ['c', false, 1, 1],
      ['b', true, 2, 0],
      ['a', true, 2, 0],
    ]);
  });

  it('unhide a hidden conversation and move it to the top, for all members', async () => {
    const [group, other] = [await ann.createGroup([2, 3]), await ann.createGroup([2, 3])];
    for (const who of [ann, ben, cat]) await who.settings(group, { hidden: true });
    test.clock.advance(60);
    await sendConcurrently(test, group, [by(1, 'a'), by(2, 'b'), by(1, 'c')]);
    for (const who of [ann, ben, cat]) expect((await who.listedIds()).slice(0, 2)).toEqual([group, other]);
  });

  it('of a large group do the same without rows for other members', async () => {
    const group = await ann.createGroup([2, 3]);
    const dataSource = test.app.get(DataSource);
    for (const [table, key] of [
      ['conversations', 'id'],
      ['conversation_members', 'conversation_id'],
    ] as const)
      await dataSource.query(`UPDATE ${table} SET pulled = 1 WHERE ${key} = ?`, [group]);
    for (const who of [ann, ben, cat]) await who.settings(group, { hidden: true });
    await sendConcurrently(test, group, [by(1, 'a'), by(2, 'b'), by(9, 'x'), by(1, 'c'), by(2, 'd')]);
    expect([await ann.unreadOf(group), await ben.unreadOf(group), await cat.unreadOf(group)]).toEqual([
      1, 0, 4,
    ]);
    expect((await ann.peek(group)).map(({ content, read_count }) => [content, read_count])).toEqual([
      ['d', 0],
      ['c', 1],
      ['b', 1],
      ['a', 1],
    ]);
    for (const who of [ann, ben, cat]) expect(await who.listedIds()).toContain(group);
    const rows = await dataSource.query('SELECT hidden FROM conversation_members WHERE conversation_id = ?', [
      group,
    ]);
    expect(rows).toEqual([{ hidden: 0 }, { hidden: 0 }, { hidden: 1 }]);
  });

  it('of the longest texts reach as many members as they have events', async () => {
    const members = Array.from({ length: 199 }, (_, index) => 1001 + index);
    const users = members
      .map((id) => `(${id}, 'User ${id}', 'user', 1, '2026-01-31 08:00:00.000')`)
      .join(', ');
    await test.query(`INSERT INTO users (id, name, role, status, created_at) VALUES ${users}`);
    const group = await ann.createGroup(members);
    const longest = '😀'.repeat(5000);
    const outcomes = await sendConcurrently(test, group, [
      by(1, 'a'),
      by(1001, longest),
      by(1, longest),
      by(1002, longest),
    ]);
    expect(outcomes).toEqual(Array.from({ length: 4 }, () => expect.any(Number)));
    const last = (await ChatUser.signIn(test.api, 1199)).api;
    const received = (await last.get('/api/events/poll?after=0')).body.data.items as PublishedMessage[];
    expect(
      received.slice(1).map(({ message, unread_count }) => [message.content.length, unread_count]),
    ).toEqual([
      [1, 1],
      [10_000, 2],
      [10_000, 3],
      [10_000, 4],
    ]);
  });
});
