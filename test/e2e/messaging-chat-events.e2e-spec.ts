import type { AddressInfo } from 'node:net';
import { newUserIds } from '../support/calls';
import type { AnyEvent } from '../support/conversation-terminal';
import { EventReader } from '../support/event-reader';
import { ChatUser, switchToLargeGroup } from '../support/messaging';
import { sendConcurrently } from '../support/sending';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Event payloads of', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
  });
  beforeEach(async () => {
    test.clock.set(START);
    [ann, ben, cat] = (await ChatUser.signInAll(test.api, newUserIds(3))) as [ChatUser, ChatUser, ChatUser];
    group = await ann.createGroup([ben.id, cat.id]);
  });
  afterAll(() => test?.close());

  const cursorOf = async (who: ChatUser): Promise<number> =>
    Number((await who.api.get('/api/messages/conversations')).headers['x-event-cursor']);
  const eventsOf = async (who: ChatUser, after: number): Promise<AnyEvent[]> =>
    (await who.api.get(`/api/events/poll?after=${after}&limit=500`)).body.data.items;
  /** Returns the events of each of the three users during an action. */
  async function eventsDuring(work: () => Promise<unknown>): Promise<[AnyEvent[], AnyEvent[], AnyEvent[]]> {
    const people = [ann, ben, cat] as const;
    const before = await Promise.all(people.map(cursorOf));
    await work();
    const events = await Promise.all(people.map((who, index) => eventsOf(who, before[index] ?? 0)));
    return events as [AnyEvent[], AnyEvent[], AnyEvent[]];
  }

  it('an edit are equal for all who see the message', async () => {
    const { id } = await ann.send(group, 'x');
    const [late] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    await ann.add(group, late.id);
    test.clock.advance(7);
    const lateCursor = await cursorOf(late);
    const events = await eventsDuring(() => ann.edit(id, 'ü 😀'));
    for (const [event, ...rest] of events) {
      const { id: _cursor, ...edited } = event as AnyEvent;
      expect(edited).toEqual({
        type: 'message.edited',
        created_at: '2026-01-31T08:00:07.000Z',
        conversation_id: group,
        message_id: id,
        content: 'ü 😀',
        display_content: 'ü 😀',
        edited_at: '2026-01-31 16:00:07',
      });
      expect(rest).toEqual([]);
    }
    expect(await eventsOf(late, lateCursor)).toEqual([]);
  });

  it('a long edit are stored once for all of them', async () => {
    const ids = newUserIds(40);
    await ChatUser.signInAll(test.api, ids);
    const crowd = await ann.createGroup(ids);
    const { id } = await ann.send(crowd, 'x');
    const bytes = async (): Promise<number> => {
      const [row] = (await test.query('SELECT SUM(LENGTH(payload)) AS n FROM events')) as [
        { n: number | string },
      ];
      return Number(row.n);
    };
    const before = await bytes();
    await ann.edit(id, '长'.repeat(5000));
    expect((await bytes()) - before).toBe(41);
    const [last] = (await eventsOf(ann, (await cursorOf(ann)) - 1)) as [AnyEvent];
    expect(last.content).toBe('长'.repeat(5000));
  });

  it('a message contain the quoted message, and client_msg_id for the sender', async () => {
    const { id } = await ben.send(group, 'one');
    const events = await eventsDuring(() => ann.send(group, 'two', { reply_to_id: id, client_msg_id: 'c' }));
    const [own, others, third] = events.map((all) => all.at(-1)?.message);
    expect([own.client_msg_id, others.client_msg_id, third.client_msg_id]).toEqual(['c', null, null]);
    expect([own.is_self, others.is_self]).toEqual([true, false]);
    expect(others.reply_to).toMatchObject({ id, display_content: 'one' });
    expect(others).toEqual((await ben.peek(group))[0]);
    expect(own).toEqual((await ann.peek(group))[0]);
  });

  it('a mention contain its id for the mentioned user only', async () => {
    const [anns, bens, cats] = await eventsDuring(async () => {
      await ann.send(group, 'x', { mentions: [ben.id] });
      await ann.send(group, 'plain');
      await ann.send(group, 'all', { mention_all: true });
    });
    const ids = anns.map(({ message }) => message.id);
    expect(bens.map(({ mention_id, unread_count }) => [mention_id, unread_count])).toEqual([
      [ids[0], 1],
      [undefined, 2],
      [ids[2], 3],
    ]);
    expect(cats.map(({ mention_id }) => mention_id)).toEqual([undefined, undefined, ids[2]]);
    expect(anns.some((event) => 'mention_id' in event)).toBe(false);
  });

  it('batched messages equal those of single sends', async () => {
    const [mentioning] = [{ mentions: [ben.id] }];
    const before = await Promise.all([ann, ben].map(cursorOf));
    await sendConcurrently(test, group, [
      { senderId: ann.id, content: 'first' },
      { senderId: ann.id, content: 'a' },
      { senderId: ann.id, content: 'b', id: 'one', ...mentioning },
      { senderId: ann.id, content: 'c', id: 'two' },
      { senderId: ann.id, content: 'd' },
      { senderId: cat.id, content: 'e', ...mentioning },
      { senderId: ann.id, content: 'f' },
    ]);
    const history = (await ben.peek(group)).toReversed();
    const at = (index: number): number | undefined => history[index]?.id;
    const bens = await eventsOf(ben, before[1] ?? 0);
    expect(
      bens.map(({ message, unread_count, mention_id }) => [message.content, unread_count, mention_id]),
    ).toEqual([
      ['first', 1, undefined],
      ['a', 2, undefined],
      ['b', 3, at(2)],
      ['c', 4, undefined],
      ['d', 5, undefined],
      ['e', 6, at(5)],
      ['f', 7, undefined],
    ]);
    expect(bens.map(({ message }) => message)).toEqual(
      // No member has read the message when the events are published.
      history.map((message) => ({ ...message, is_read: false, read_count: 0, unread_count: 2 })),
    );
    const anns = (await eventsOf(ann, before[0] ?? 0)).filter(({ type }) => type === 'message.created');
    expect(anns.map(({ message }) => message.client_msg_id)).toEqual([
      null,
      null,
      'one',
      'two',
      null,
      null,
      null,
    ]);
  });

  it('a recall contain the remaining mention for mentioned users, and the conversation', async () => {
    const { id: first } = await ann.send(group, 'x', { mentions: [ben.id] });
    const { id } = await ann.send(group, 'x', { mentions: [ben.id] });
    const [anns, bens, cats] = await eventsDuring(() => ann.recall(id));
    expect(bens[0]).toMatchObject({ mention_id: first, conversation: { mention_id: first } });
    expect([anns[0], cats[0]].some((event) => event !== undefined && 'mention_id' in event)).toBe(false);
    const [, again] = await eventsDuring(() => ann.recall(first));
    expect(again[0]).toMatchObject({ mention_id: null, conversation: { mention_id: null } });
  });

  it('a read contain the remaining mention for the reader, and null for others', async () => {
    const single = await ann.openSingle(ben.id);
    await ann.send(single, 'x');
    const { id: first } = await ann.send(group, 'x', { mentions: [ben.id] });
    const { id: second } = await ann.send(group, 'x', { mentions: [ben.id] });
    const [, bens] = await eventsDuring(() => ben.read(group, first));
    expect(bens[0]).toMatchObject({ type: 'conversation.read', mention_id: second, unread_count: 1 });
    const [, sending] = await eventsDuring(() => ben.send(group, 'yes'));
    expect(sending[0]).toMatchObject({ type: 'conversation.read', mention_id: null, unread_count: 0 });
    const [anns] = await eventsDuring(() => ben.read(single));
    expect(anns[0]).toMatchObject({ type: 'conversation.read', mention_id: null, unread_count: null });
  });

  it('all these actions are live in a large group, in each member’s view', async () => {
    await switchToLargeGroup(test, group);
    const url = `http://127.0.0.1:${(test.app.getHttpServer().address() as AddressInfo).port}`;
    const [late] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    const { id: seen } = await ann.send(group, 'before');
    await ann.add(group, late.id);
    const readers = await Promise.all(
      [ann, ben, late].map(({ id }) => EventReader.open(url, { userId: id })),
    );
    const sent = await ann.send(group, 'x', { mentions: [ben.id], client_msg_id: 'c', reply_to_id: seen });
    await readers[1]?.atLeast(1);
    await ann.edit(seen, 'edited');
    await ann.edit(sent.id, 'y');
    await readers[1]?.atLeast(3);
    await ann.recall(sent.id);
    const [anns, bens, lates] = readers as [EventReader, EventReader, EventReader];
    await Promise.all([anns.atLeast(4), bens.atLeast(4), lates.atLeast(3)]);
    expect(bens.frames.map(({ id, event, data }) => [id, event, data.message_id, data.mention_id])).toEqual([
      [undefined, 'message.created', undefined, sent.id],
      [undefined, 'message.edited', seen, undefined],
      [undefined, 'message.edited', sent.id, undefined],
      [undefined, 'message.recalled', undefined, null],
    ]);
    expect(bens.frames[0]?.data.message).toMatchObject({ client_msg_id: null, reply_to: { id: seen } });
    expect(anns.frames[0]?.data.message).toEqual(sent);
    expect(anns.frames.some(({ data }) => 'mention_id' in data)).toBe(false);
    expect(lates.frames.map(({ data }) => data.message_id ?? data.message.id)).toEqual([
      sent.id,
      sent.id,
      sent.id,
    ]);
    expect(lates.frames[0]?.data.message.reply_to).toMatchObject({ id: seen, display_content: 'before' });
    for (const reader of readers) reader.close();
  });
});
