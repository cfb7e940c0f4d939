import type { AddressInfo } from 'node:net';
import type { ConversationId, UserId } from '../../src/common/ids';
import { Transactions } from '../../src/database/transactions';
import { MessageWriter } from '../../src/messaging/services/message-writer';
import { newUserIds } from '../support/calls';
import { EventReader, type Frame } from '../support/event-reader';
import { ChatUser, switchToLargeGroup } from '../support/messaging';
import { countBufferedBytes } from '../support/server-buffers';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';

describe('Events of large groups', () => {
  let test: TestApp;
  let url: string;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  let group: number;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(test.app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => test?.close());
  beforeEach(async () => {
    [ann, ben, cat] = (await ChatUser.signInAll(test.api, newUserIds(3))) as [ChatUser, ChatUser, ChatUser];
    group = await ann.createGroup([ben.id, cat.id]);
    await switchToLargeGroup(test, group);
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  const listen = async ({ id: userId }: ChatUser): Promise<EventReader> => {
    const reader = await EventReader.open(url, { userId });
    readers.push(reader);
    return reader;
  };
  const logOf = async ({ api }: ChatUser): Promise<{ type: string }[]> =>
    (await api.get('/api/events/poll?after=0&limit=500')).body.data.items;
  const contents = (frames: Frame[]): string[] =>
    frames.filter(({ event }) => event === 'message.created').map(({ data }) => data.message.content);

  it('are live messages to every member in that member’s view, stored for none of them', async () => {
    const before = (await logOf(ben)).length;
    const streams = [await listen(ann), await listen(ben), await listen(ben)];
    const sent = await ann.send(group, '你好');
    for (const [index, stream] of streams.entries()) {
      await stream.atLeast(1);
      expect(stream.frames).toEqual([
        {
          event: 'message.created',
          data: {
            type: 'message.created',
            created_at: '2026-01-31T08:00:00.000Z',
            message: { ...sent, is_self: index === 0 },
            conversation_id: group,
            unread_count: index === 0 ? 0 : 1,
          },
        },
      ]);
    }
    expect(await logOf(ben)).toHaveLength(before);
    const rows = await test.query(`SELECT COUNT(*) AS n FROM events WHERE user_id = ${-group}`);
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('include recalls and edits, in the order of the conversation', async () => {
    const stream = await listen(ben);
    const sent = await ann.send(group, 'oops');
    await ann.recall(sent.id);
    await ann.api.put(`/api/messages/conversations/${group}`, { name: 'New' });
    await ann.send(group, 'again');
    await stream.atLeast(4);
    expect(stream.types).toEqual([
      'message.created',
      'message.recalled',
      'conversation.updated',
      'message.created',
    ]);
    const [recalled] = (await ben.peek(group)).slice(1);
    expect(stream.frames[1]?.data).toMatchObject({ message: recalled, conversation: { id: group } });
    expect(stream.frames[2]?.data).toMatchObject({
      conversation: { id: group, name: 'New' },
      pinned: false,
      muted: false,
      hidden: false,
    });
    expect(stream.frames.map(({ id }) => id)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('of concurrent messages arrive in the order of the history, each once', async () => {
    const streams = [await listen(ann), await listen(ben), await listen(cat)];
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`);
    await Promise.all(
      [ann, ben, cat].flatMap((chatUser) =>
        texts.map((text) => chatUser.send(group, `${text} of ${chatUser.id}`)),
      ),
    );
    const history = (await ann.peek(group)).map(({ content }) => content).toReversed();
    for (const stream of streams) {
      await stream.until(() => contents(stream.frames).length >= 60);
      expect(contents(stream.frames)).toEqual(history);
    }
  });

  it('are published once when a send is repeated, and not after a rollback', async () => {
    const stream = await listen(ben);
    const body = { type: 'text', content: 'once', client_msg_id: 'x' } as const;
    await ann.trySend(group, body);
    await ann.trySend(group, body);
    const rolledBack = test.app.get(Transactions).run(async (em) => {
      const send = {
        userId: ann.id as UserId,
        conversationId: group as ConversationId,
        body: { type: 'text' as const, content: 'never' },
      };
      await test.app.get(MessageWriter).write(em, [send], { lookUpUsedIds: false });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await ann.send(group, 'last');
    await stream.atLeast(2);
    expect(contents(stream.frames)).toEqual(['once', 'last']);
  });

  it('end with the current unread count, also during concurrent reads', async () => {
    const stream = await listen(ben);
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([
        ann.send(group),
        ben.read(group),
        cat.send(group),
        ben.read(group),
        ann.send(group),
      ]);
    }
    const unread = await ben.unreadOf(group);
    const received = await eventually(
      async () => stream.frames,
      (frames) => contents(frames).length === 30 && frames.at(-1)?.data.unread_count === unread,
    );
    expect(received.at(-1)?.data.unread_count).toBe(unread);
    expect(contents(received)).toHaveLength(30);
  });

  it('do not include earlier messages on a new stream, with or without a cursor', async () => {
    await ann.send(group, 'before');
    const reader = await EventReader.open(url, { userId: ben.id, after: 0 });
    readers.push(reader);
    const other = await listen(ben);
    await ann.send(group, 'after');
    await other.atLeast(1);
    await reader.until(() => contents(reader.frames).length > 0);
    expect([contents(reader.frames), contents(other.frames)]).toEqual([['after'], ['after']]);
  });

  it('unhide a hidden group with the next message', async () => {
    await ben.settings(group, { hidden: true });
    const stream = await listen(ben);
    await ann.send(group, 'one');
    await ann.send(group, 'two');
    await stream.atLeast(3);
    expect(stream.types).toEqual(['message.created', 'conversation.updated', 'message.created']);
    expect(stream.frames[1]?.data).toMatchObject({ conversation: { id: group }, hidden: false });
  });

  it('start for an added member after a stored event, and are announced to the others', async () => {
    const [dan] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    const streams = [await listen(dan), await listen(ben)] as const;
    await ann.send(group, 'before');
    await ann.add(group, dan.id);
    await ann.send(group, 'welcome');
    await streams[0].atLeast(2);
    await streams[1].atLeast(3);
    expect(streams[0].frames).toMatchObject([
      { id: '1', event: 'conversation.updated', data: { conversation: { id: group, member_count: 4 } } },
      { event: 'message.created', data: { message: { content: 'welcome' }, unread_count: 1 } },
    ]);
    expect(streams[1].types).toEqual(['message.created', 'conversation.updated', 'message.created']);
    expect(streams[1].frames[1]?.data).toMatchObject({ conversation: { member_count: 4 } });
  });

  it('end for a removed member with a stored event, until the member is added again', async () => {
    const [bens, cats] = [await listen(ben), await listen(cat)];
    await ann.remove(group, ben.id);
    await ann.send(group, 'among us');
    await cats.atLeast(2);
    await ann.add(group, ben.id);
    await ann.send(group, 'back');
    await bens.until(() => contents(bens.frames).length > 0);
    expect(bens.types).toEqual(['conversation.left', 'conversation.updated', 'message.created']);
    expect(contents(bens.frames)).toEqual(['back']);
    await cats.until(() => contents(cats.frames).length === 2);
    expect(contents(cats.frames)).toEqual(['among us', 'back']);
  });

  it('are not sent to other users', async () => {
    const [eve] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    const [stream, other] = [await listen(eve), await listen(ben)];
    await ann.send(group, 'secret');
    await other.atLeast(1);
    await ann.openSingle(eve.id);
    await stream.atLeast(1);
    expect(stream.types).toEqual(['conversation.updated']);
  });

  it('continue live after a stored event when a group outgrows the limit', async () => {
    const id = await ann.createGroup([ben.id]);
    const stream = await listen(ben);
    const crowd = await ChatUser.signInAll(test.api, newUserIds(199));
    await ann.add(id, ...crowd.map((chatUser) => chatUser.id));
    await ann.send(id, 'many');
    await stream.atLeast(2);
    expect(stream.frames).toMatchObject([
      { id: '3', event: 'conversation.updated', data: { conversation: { member_count: 201 } } },
      { event: 'message.created', data: { message: { content: 'many' } } },
    ]);
    expect(stream.frames[1]).not.toHaveProperty('id');
    const last = crowd.at(-1) as ChatUser;
    expect(await logOf(last)).toMatchObject([{ type: 'conversation.updated' }]);
  });

  it('include a stored event to every member when a large group is created', async () => {
    const crowd = await ChatUser.signInAll(test.api, newUserIds(201));
    const stream = await listen(crowd[0] as ChatUser);
    const id = await ann.createGroup(crowd.map((chatUser) => chatUser.id));
    await stream.atLeast(1);
    expect(stream.frames).toMatchObject([{ id: '1', data: { conversation: { id, member_count: 202 } } }]);
  });

  it('do not block on a slow reader, are not buffered in memory, and are all delivered', async () => {
    const bufferedBytes = countBufferedBytes(test);
    const [slow, quick] = [await listen(ben), await listen(cat)];
    slow.response.pause();
    const content = '长'.repeat(5_000);
    // More than the buffers of both sockets.
    for (let count = 0; count < 400; count += 1) await ann.send(group, content);
    await quick.atLeast(400);
    expect(slow.frames.length).toBeLessThan(400);
    expect(bufferedBytes()).toBeLessThan(1_000_000);
    slow.response.resume();
    await slow.atLeast(400);
    const ids = (reader: EventReader) => reader.frames.map(({ data }) => data.message.id);
    expect(ids(slow)).toEqual(ids(quick));
  });
});
