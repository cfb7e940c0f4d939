import { DataSource } from 'typeorm';
import { Chatter, type Message } from '../support/messaging';
import { expectSoundMessaging } from '../support/messaging-invariants';
import { sendTogether, type Wanted } from '../support/sending';
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
  let cat: Chatter;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben, cat] = (await Chatter.meetAll(test.api, [1, 2, 3, 9])) as [Chatter, Chatter, Chatter];
  });
  afterEach(() => expectSoundMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const cursorOf = async (who: Chatter): Promise<number> =>
    Number((await who.api.get('/api/messages/conversations')).headers['x-event-cursor']);
  const eventsAfter = async (who: Chatter, cursor: number): Promise<Told[]> =>
    (await who.api.get(`/api/events/poll?after=${cursor}&limit=500`)).body.data.items;

  it('tell every member of each message, with what is unread as of then', async () => {
    const group = await ann.createGroup([2, 3]);
    for (const content of ['old', 'gone', 'older']) await ann.send(group, content);
    const gone = (await cat.peek(group))[1]?.id ?? 0;
    await ann.recall(gone);
    const before = await Promise.all([ann, ben, cat].map(cursorOf));
    const ids = await sendTogether(test, group, [by(1, 'a'), by(2, 'b'), by(1, 'c'), by(2, 'd'), by(2, 'e')]);
    const told = async (who: Chatter, index: number) =>
      (await eventsAfter(who, before[index] ?? 0)).map(({ type, message, unread_count, up_to_message_id }) =>
        type === 'message.created'
          ? [message.content, message.is_self, unread_count]
          : [type, up_to_message_id, unread_count],
      );
    // Ben and Cat have two to read from before, the recalled one not counted.
    expect(await told(ann, 0)).toEqual([
      ['a', true, 0],
      ['b', false, 1],
      ['conversation.read', ids[1], 0],
      ['c', true, 0],
      ['d', false, 1],
      ['e', false, 2],
    ]);
    expect(await told(ben, 1)).toEqual([
      ['a', false, 3],
      ['conversation.read', ids[0], 0],
      ['b', true, 0],
      ['c', false, 1],
      ['conversation.read', ids[2], 0],
      ['d', true, 0],
      ['e', true, 0],
    ]);
    expect(await told(cat, 2)).toEqual([
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

  it('are read by the others’ sends after them', async () => {
    const group = await ann.createGroup([2, 3]);
    await sendTogether(test, group, [by(1, 'a'), by(2, 'b'), by(3, 'c'), by(1, 'd')]);
    const counts = async (who: Chatter) =>
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

  it('bring a hidden conversation back and to the top, for all', async () => {
    const [group, other] = [await ann.createGroup([2, 3]), await ann.createGroup([2, 3])];
    for (const who of [ann, ben, cat]) await who.settings(group, { hidden: true });
    test.clock.advance(60);
    await sendTogether(test, group, [by(1, 'a'), by(2, 'b'), by(1, 'c')]);
    for (const who of [ann, ben, cat]) expect((await who.listedIds()).slice(0, 2)).toEqual([group, other]);
  });

  it('of a large group do the same without writing to other members', async () => {
    const group = await ann.createGroup([2, 3]);
    const dataSource = test.app.get(DataSource);
    for (const [table, key] of [
      ['conversations', 'id'],
      ['conversation_members', 'conversation_id'],
    ] as const)
      await dataSource.query(`UPDATE ${table} SET pulled = 1 WHERE ${key} = ?`, [group]);
    for (const who of [ann, ben, cat]) await who.settings(group, { hidden: true });
    await sendTogether(test, group, [by(1, 'a'), by(2, 'b'), by(9, 'x'), by(1, 'c'), by(2, 'd')]);
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

  it('of the longest texts reach as many members as are told of each', async () => {
    const members = Array.from({ length: 199 }, (_, index) => 1001 + index);
    const users = members
      .map((id) => `(${id}, 'User ${id}', 'user', 1, '2026-01-31 08:00:00.000')`)
      .join(', ');
    await test.query(`INSERT INTO users (id, name, role, status, created_at) VALUES ${users}`);
    const group = await ann.createGroup(members);
    const longest = '😀'.repeat(5000);
    const outcomes = await sendTogether(test, group, [
      by(1, 'a'),
      by(1001, longest),
      by(1, longest),
      by(1002, longest),
    ]);
    expect(outcomes).toEqual(Array.from({ length: 4 }, () => expect.any(Number)));
    const last = (await Chatter.meet(test.api, 1199)).api;
    const told = (await last.get('/api/events/poll?after=0')).body.data.items as Told[];
    expect(told.slice(1).map(({ message, unread_count }) => [message.content.length, unread_count])).toEqual([
      [1, 1],
      [10_000, 2],
      [10_000, 3],
      [10_000, 4],
    ]);
  });
});
