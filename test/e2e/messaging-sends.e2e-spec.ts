import { DataSource } from 'typeorm';
import { stopJobs } from '../support/jobs';
import { ChatUser } from '../support/messaging';
import type { Message } from '../support/messaging-types';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { sendConcurrently, countTransactions, whileLocked, type SendRequest } from '../support/sending';
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
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben] = (await ChatUser.signInAll(test.api, [1, 2, 3, 9])) as [ChatUser, ChatUser];
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const cursorOf = async (who: ChatUser): Promise<number> =>
    Number((await who.api.get('/api/messages/conversations')).headers['x-event-cursor']);
  const eventsAfter = async (who: ChatUser, cursor: number): Promise<PublishedMessage[]> =>
    (await who.api.get(`/api/events/poll?after=${cursor}&limit=500`)).body.data.items;
  /** Returns the contents of a history, oldest first. */
  const contentsOf = async (who: ChatUser, conversation: number): Promise<string[]> =>
    (await who.peek(conversation)).map(({ content }) => content).toReversed();

  it('share a transaction, except the first', async () => {
    const group = await ann.createGroup([2, 3]);
    const wanted = Array.from({ length: 21 }, (_, index) => by((index % 3) + 1, `${index}`));
    expect(await countTransactions(test, () => sendConcurrently(test, group, wanted))).toBe(2);
    expect(await contentsOf(ann, group)).toEqual(wanted.map(({ content }) => content));
    expect(await countTransactions(test, () => ann.send(group))).toBe(1);
    const two = [await ann.createGroup([2]), await ann.createGroup([2])];
    expect(
      await countTransactions(test, () =>
        Promise.all(two.map((id) => sendConcurrently(test, id, [by(1, 'x')]))),
      ),
    ).toBe(2);
  });

  it('are returned in the order of their ids, with their own times and contents', async () => {
    const chat = await ann.openSingle(2);
    const ids = await sendConcurrently(test, chat, [by(1, 'a'), by(2, 'b'), by(2, 'c'), by(1, 'd')]);
    expect(ids).toEqual((ids as number[]).toSorted((a, b) => a - b));
    const items = await ann.peek(chat);
    expect(items.map(({ id, content, sender_id }) => [id, content, sender_id]).toReversed()).toEqual([
      [ids[0], 'a', 1],
      [ids[1], 'b', 2],
      [ids[2], 'c', 2],
      [ids[3], 'd', 1],
    ]);
  });

  it('reject a user outside the conversation without using a number or affecting others', async () => {
    const group = await ann.createGroup([2]);
    const outcomes = await sendConcurrently(test, group, [
      by(1, 'first'),
      by(9, 'no member'),
      by(2, 'second'),
      by(9, 'no member'),
      by(1, 'third'),
    ]);
    expect(outcomes).toEqual([
      expect.any(Number),
      'CONVERSATION_FORBIDDEN',
      expect.any(Number),
      'CONVERSATION_FORBIDDEN',
      expect.any(Number),
    ]);
    expect(await contentsOf(ben, group)).toEqual(['first', 'second', 'third']);
    expect(await sendConcurrently(test, group, [by(9, 'x'), by(9, 'y'), by(9, 'z')])).toEqual([
      'CONVERSATION_FORBIDDEN',
      'CONVERSATION_FORBIDDEN',
      'CONVERSATION_FORBIDDEN',
    ]);
    await ben.send(group, 'fourth');
    expect((await ben.history(group)).pagination.total).toBe(4);
    expect(await sendConcurrently(test, 999_999, [by(1, 'x'), by(2, 'y')])).toEqual([
      'CONVERSATION_FORBIDDEN',
      'CONVERSATION_FORBIDDEN',
    ]);
  });

  it('with one client_msg_id are stored once, and rejected with other content', async () => {
    const group = await ann.createGroup([2]);
    const [, one, other, again, changed, bens] = await sendConcurrently(test, group, [
      by(1, 'before'),
      by(1, 'x', 'same'),
      by(2, 'between'),
      by(1, 'x', 'same'),
      by(1, 'y', 'same'),
      by(2, 'y', 'same'),
    ]);
    expect([again, changed]).toEqual([one, 'REQUEST_ID_REUSED']);
    expect(new Set([one, other, bens]).size).toBe(3);
    expect(await contentsOf(ann, group)).toEqual(['before', 'x', 'between', 'y']);
  });

  it('with an earlier client_msg_id return that message in its current state', async () => {
    const group = await ann.createGroup([2]);
    const { id } = await ann.send(group, 'x', { client_msg_id: 'old' });
    await ben.history(group);
    const outcomes = await sendConcurrently(test, group, [
      by(2, 'a'),
      by(1, 'x', 'old'),
      by(1, 'b', 'new'),
      by(1, 'other', 'old'),
    ]);
    expect(outcomes).toEqual([expect.any(Number), id, expect.any(Number), 'REQUEST_ID_REUSED']);
    expect(await contentsOf(ann, group)).toEqual(['x', 'a', 'b']);
    const repeated = await ann.send(group, 'x', { client_msg_id: 'old' });
    expect(repeated).toMatchObject({ id, is_read: true, read_count: 1, unread_count: 0 });
  });

  it('reject only a sender who was removed while waiting', async () => {
    const group = await ann.createGroup([2, 3]);
    const outcomes = await whileLocked(test, group, {
      meanwhile: () => sendConcurrently(test, group, [by(1, 'a'), by(2, 'b'), by(3, 'c'), by(2, 'd')]),
      change: [
        `DELETE FROM conversation_members WHERE conversation_id = ${group} AND user_id = 2`,
        `UPDATE conversations SET member_count = 2 WHERE id = ${group}`,
        `UPDATE conversation_counts SET total = total - 1 WHERE user_id = 2 AND type = 'group'`,
      ],
    });
    expect(outcomes).toEqual([
      expect.any(Number),
      'CONVERSATION_FORBIDDEN',
      expect.any(Number),
      'CONVERSATION_FORBIDDEN',
    ]);
    expect(
      (await ann.peek(group)).map(({ content, read_count, unread_count }) => [
        content,
        read_count + unread_count,
      ]),
    ).toEqual([
      ['c', 1],
      ['a', 1],
    ]);
  });

  it('fail together with the transaction, and store nothing', async () => {
    const group = await ann.createGroup([2]);
    await ann.send(group, 'before');
    const dataSource = test.app.get(DataSource);
    await dataSource.query('ALTER TABLE events RENAME TO events_away');
    const outcomes = await sendConcurrently(test, group, [by(1, 'a'), by(2, 'b'), by(1, 'c', 'x')]);
    await dataSource.query('ALTER TABLE events_away RENAME TO events');
    expect(outcomes).toEqual(['another error', 'another error', 'another error']);
    expect(await contentsOf(ben, group)).toEqual(['before']);
    expect(await ben.unreadOf(group)).toBe(1);
    await ann.send(group, 'c', { client_msg_id: 'x' });
    expect(await contentsOf(ben, group)).toEqual(['before', 'c']);
  });

  it('have one order without gaps on two instances, published to every member', async () => {
    const second = await createTestApp({ database: test.database, clock: test.clock });
    try {
      const ids = Array.from({ length: 12 }, (_, index) => 101 + index);
      const here = await ChatUser.signInAll(test.api, ids);
      const there = await ChatUser.signInAll(second.api, ids);
      const group = await ann.createGroup(ids);
      const before = await cursorOf(ann);
      await Promise.all(
        here.map(async (sender, index) => {
          const other = there[(index + 1) % there.length] ?? sender;
          for (let round = 0; round < 3; round += 1)
            await Promise.all([
              sender.send(group, `here ${index} ${round}`),
              other.send(group, `there ${index} ${round}`, { client_msg_id: `${index} ${round}` }),
              sender.send(group, 'twice', { client_msg_id: `twice ${round}` }),
              there[index]?.send(group, 'twice', { client_msg_id: `twice ${round}` }),
            ]);
        }),
      );
      const history = (await ann.peek(group)).toReversed();
      expect((await ann.history(group, '?mark_read=0&per_page=1')).pagination.total).toBe(108);
      const created = (await eventsAfter(ann, before)).filter(({ type }) => type === 'message.created');
      expect(created.map(({ unread_count }) => unread_count)).toEqual(
        Array.from({ length: 108 }, (_, index) => index + 1),
      );
      const received = created.map(({ message }) => message.id);
      expect(received.slice(8)).toEqual(history.map(({ id }) => id));
      const [first] = here;
      const firsts = first ? await eventsAfter(first, 0) : [];
      expect(
        firsts.filter(({ type }) => type === 'message.created').map(({ message }) => message.id),
      ).toEqual(received);
    } finally {
      await second.close();
    }
  });

  it('succeed with concurrent reads of the same users, without a deadlock', async () => {
    // Only errors of the requests count.
    await stopJobs(test);
    const [one, other] = (await ChatUser.signInAll(test.api, [201, 202])) as [ChatUser, ChatUser];
    const chat = await one.openSingle(202);
    const failures = jest.spyOn(test.app.get(DataSource).logger, 'logQueryError');
    for (let round = 0; round < 50; round += 1) {
      await one.send(chat);
      await Promise.all([
        other.read(chat),
        other.send(chat),
        other.history(chat),
        one.send(chat),
        one.history(chat),
      ]);
      await other.read(chat);
      expect(await other.unreadOf(chat)).toBe(0);
    }
    expect(failures.mock.calls).toEqual([]);
    failures.mockRestore();
  });
});
