import { DataSource } from 'typeorm';
import { Chatter, type Message } from '../support/messaging';
import { expectSoundMessaging } from '../support/messaging-invariants';
import { sendTogether, transactionsOf, underLock, type Wanted } from '../support/sending';
import { createTestApp, type TestApp } from '../support/test-app';

interface Told {
  type: string;
  message: Message;
  unread_count: number;
  up_to_message_id: number;
}

const by = (sender: number, content: string, id?: string): Wanted => ({ by: sender, content, id });

describe('Sends that come together', () => {
  let test: TestApp;
  let ann: Chatter;
  let ben: Chatter;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben] = (await Chatter.meetAll(test.api, [1, 2, 3, 9])) as [Chatter, Chatter];
  });
  afterEach(() => expectSoundMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const cursorOf = async (who: Chatter): Promise<number> =>
    Number((await who.api.get('/api/messages/conversations')).headers['x-event-cursor']);
  const eventsAfter = async (who: Chatter, cursor: number): Promise<Told[]> =>
    (await who.api.get(`/api/events/poll?after=${cursor}&limit=500`)).body.data.items;
  /** The contents of a history, oldest first. */
  const contentsOf = async (who: Chatter, conversation: number): Promise<string[]> =>
    (await who.peek(conversation)).map(({ content }) => content).toReversed();

  it('share a transaction, all but the first', async () => {
    const group = await ann.createGroup([2, 3]);
    const wanted = Array.from({ length: 21 }, (_, index) => by((index % 3) + 1, `${index}`));
    expect(await transactionsOf(test, () => sendTogether(test, group, wanted))).toBe(2);
    expect(await contentsOf(ann, group)).toEqual(wanted.map(({ content }) => content));
    expect(await transactionsOf(test, () => ann.send(group))).toBe(1);
    const two = [await ann.createGroup([2]), await ann.createGroup([2])];
    expect(
      await transactionsOf(test, () => Promise.all(two.map((id) => sendTogether(test, id, [by(1, 'x')])))),
    ).toBe(2);
  });

  it('come back in the order of their ids, with times and contents of their own', async () => {
    const chat = await ann.openSingle(2);
    const ids = await sendTogether(test, chat, [by(1, 'a'), by(2, 'b'), by(2, 'c'), by(1, 'd')]);
    expect(ids).toEqual((ids as number[]).toSorted((a, b) => a - b));
    const items = await ann.peek(chat);
    expect(items.map(({ id, content, sender_id }) => [id, content, sender_id]).toReversed()).toEqual([
      [ids[0], 'a', 1],
      [ids[1], 'b', 2],
      [ids[2], 'c', 2],
      [ids[3], 'd', 1],
    ]);
  });

  it('refuse a stranger without disturbing the others, or using up a number', async () => {
    const group = await ann.createGroup([2]);
    const outcomes = await sendTogether(test, group, [
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
    expect(await sendTogether(test, group, [by(9, 'x'), by(9, 'y'), by(9, 'z')])).toEqual([
      'CONVERSATION_FORBIDDEN',
      'CONVERSATION_FORBIDDEN',
      'CONVERSATION_FORBIDDEN',
    ]);
    await ben.send(group, 'fourth');
    expect((await ben.history(group)).pagination.total).toBe(4);
    expect(await sendTogether(test, 999_999, [by(1, 'x'), by(2, 'y')])).toEqual([
      'CONVERSATION_FORBIDDEN',
      'CONVERSATION_FORBIDDEN',
    ]);
  });

  it('with one client_msg_id are sent once, and with another content refused', async () => {
    const group = await ann.createGroup([2]);
    const [, one, other, again, changed, bens] = await sendTogether(test, group, [
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

  it('with a client_msg_id of before are that message as it is now', async () => {
    const group = await ann.createGroup([2]);
    const { id } = await ann.send(group, 'x', { client_msg_id: 'old' });
    await ben.history(group);
    const outcomes = await sendTogether(test, group, [
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

  it('refuse a sender who was removed while waiting, and nobody else', async () => {
    const group = await ann.createGroup([2, 3]);
    const outcomes = await underLock(test, group, {
      meanwhile: () => sendTogether(test, group, [by(1, 'a'), by(2, 'b'), by(3, 'c'), by(2, 'd')]),
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

  it('fail together when the transaction does, and leave nothing behind', async () => {
    const group = await ann.createGroup([2]);
    await ann.send(group, 'before');
    const dataSource = test.app.get(DataSource);
    await dataSource.query('ALTER TABLE events RENAME TO events_away');
    const outcomes = await sendTogether(test, group, [by(1, 'a'), by(2, 'b'), by(1, 'c', 'x')]);
    await dataSource.query('ALTER TABLE events_away RENAME TO events');
    expect(outcomes).toEqual(['another error', 'another error', 'another error']);
    expect(await contentsOf(ben, group)).toEqual(['before']);
    expect(await ben.unreadOf(group)).toBe(1);
    await ann.send(group, 'c', { client_msg_id: 'x' });
    expect(await contentsOf(ben, group)).toEqual(['before', 'c']);
  });

  it('on two instances are one order of dense numbers, which every member hears', async () => {
    const second = await createTestApp({ database: test.database, clock: test.clock });
    try {
      const ids = Array.from({ length: 12 }, (_, index) => 101 + index);
      const here = await Chatter.meetAll(test.api, ids);
      const there = await Chatter.meetAll(second.api, ids);
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
      const heard = created.map(({ message }) => message.id);
      expect(heard.slice(8)).toEqual(history.map(({ id }) => id));
      const [first] = here;
      const firsts = first ? await eventsAfter(first, 0) : [];
      expect(
        firsts.filter(({ type }) => type === 'message.created').map(({ message }) => message.id),
      ).toEqual(heard);
    } finally {
      await second.close();
    }
  });

  it('and readings of the same users succeed, without one deadlock', async () => {
    const [one, other] = (await Chatter.meetAll(test.api, [201, 202])) as [Chatter, Chatter];
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
