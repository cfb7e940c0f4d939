import type { AddressInfo } from 'node:net';
import { StreamRegistry } from '../../src/events/live/stream-registry';
import { newUserIds } from '../support/calls';
import { EventReader, type Frame } from '../support/event-reader';
import { Chatter, makeLarge } from '../support/messaging';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';

describe('Events of large groups', () => {
  let test: TestApp;
  let url: string;
  let ann: Chatter;
  let ben: Chatter;
  let cat: Chatter;
  let group: number;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(test.app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => test?.close());
  beforeEach(async () => {
    [ann, ben, cat] = (await Chatter.meetAll(test.api, newUserIds(3))) as [Chatter, Chatter, Chatter];
    group = await ann.createGroup([ben.id, cat.id]);
    await makeLarge(test, group);
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  const listen = async ({ id: userId }: Chatter): Promise<EventReader> => {
    const reader = await EventReader.open(url, { userId });
    readers.push(reader);
    return reader;
  };
  const logOf = async ({ api }: Chatter): Promise<{ type: string }[]> =>
    (await api.get('/api/events/poll?after=0&limit=500')).body.data.items;
  const contents = (frames: Frame[]): string[] =>
    frames.filter(({ event }) => event === 'message.created').map(({ data }) => data.message.content);

  it('a message is heard live by every member as that member sees it, and written for none of them', async () => {
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

  it('a recall and a change are heard too, in the order of the conversation', async () => {
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

  it('messages of many at once are heard in the order of the history, none twice, none missing', async () => {
    const streams = [await listen(ann), await listen(ben), await listen(cat)];
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`);
    await Promise.all(
      [ann, ben, cat].flatMap((chatter) =>
        texts.map((text) => chatter.send(group, `${text} of ${chatter.id}`)),
      ),
    );
    const history = (await ann.peek(group)).map(({ content }) => content).toReversed();
    for (const stream of streams) {
      await stream.until(() => contents(stream.frames).length >= 60);
      expect(contents(stream.frames)).toEqual(history);
    }
  });

  it('nothing is heard of what was rolled back', async () => {
    const stream = await listen(ben);
    const body = { type: 'text', content: 'once', client_msg_id: 'x' };
    await ann.trySend(group, body);
    await ann.trySend(group, body);
    await ann.send(group, 'last');
    await stream.atLeast(2);
    expect(contents(stream.frames)).toEqual(['once', 'last']);
  });

  it('the last that is heard of what is unread is right, whatever was read meanwhile', async () => {
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
    const heard = await eventually(
      async () => stream.frames,
      (frames) => contents(frames).length === 30 && frames.at(-1)?.data.unread_count === unread,
    );
    expect(heard.at(-1)?.data.unread_count).toBe(unread);
    expect(contents(heard)).toHaveLength(30);
  });

  it('a stream that opens hears nothing of what was before, with a cursor or without', async () => {
    await ann.send(group, 'before');
    const reader = await EventReader.open(url, { userId: ben.id, after: 0 });
    readers.push(reader);
    const other = await listen(ben);
    await ann.send(group, 'after');
    await other.atLeast(1);
    await reader.until(() => contents(reader.frames).length > 0);
    expect([contents(reader.frames), contents(other.frames)]).toEqual([['after'], ['after']]);
  });

  it('a hidden group comes back with the next message', async () => {
    await ben.settings(group, { hidden: true });
    const stream = await listen(ben);
    await ann.send(group, 'one');
    await ann.send(group, 'two');
    await stream.atLeast(3);
    expect(stream.types).toEqual(['message.created', 'conversation.updated', 'message.created']);
    expect(stream.frames[1]?.data).toMatchObject({ conversation: { id: group }, hidden: false });
  });

  it('who is added is told by the log and hears what is said from then on; the others hear that it is so', async () => {
    const [dan] = (await Chatter.meetAll(test.api, newUserIds(1))) as [Chatter];
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

  it('who is removed is told so and hears no more, until added again', async () => {
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

  it('a stranger hears nothing', async () => {
    const [eve] = (await Chatter.meetAll(test.api, newUserIds(1))) as [Chatter];
    const [stream, other] = [await listen(eve), await listen(ben)];
    await ann.send(group, 'secret');
    await other.atLeast(1);
    await ann.openSingle(eve.id);
    await stream.atLeast(1);
    expect(stream.types).toEqual(['conversation.updated']);
  });

  it('a group that outgrows the limit tells everyone so, and goes on live', async () => {
    const id = await ann.createGroup([ben.id]);
    const stream = await listen(ben);
    const crowd = await Chatter.meetAll(test.api, newUserIds(199));
    await ann.add(id, ...crowd.map((chatter) => chatter.id));
    await ann.send(id, 'many');
    await stream.atLeast(2);
    expect(stream.frames).toMatchObject([
      { id: '3', event: 'conversation.updated', data: { conversation: { member_count: 201 } } },
      { event: 'message.created', data: { message: { content: 'many' } } },
    ]);
    expect(stream.frames[1]).not.toHaveProperty('id');
    const last = crowd.at(-1) as Chatter;
    expect(await logOf(last)).toMatchObject([{ type: 'conversation.updated' }]);
  });

  it('a large group that is made is told to everyone in it', async () => {
    const crowd = await Chatter.meetAll(test.api, newUserIds(201));
    const stream = await listen(crowd[0] as Chatter);
    const id = await ann.createGroup(crowd.map((chatter) => chatter.id));
    await stream.atLeast(1);
    expect(stream.frames).toMatchObject([{ id: '1', data: { conversation: { id, member_count: 202 } } }]);
  });

  it('a slow reader holds up nobody, keeps nothing in memory, and gets all of it in the end', async () => {
    const [slow, quick] = [await listen(ben), await listen(cat)];
    slow.response.pause();
    const content = '长'.repeat(5_000);
    // More than the sockets between them can hold.
    for (let count = 0; count < 400; count += 1) await ann.send(group, content);
    await quick.atLeast(400);
    expect(slow.frames.length).toBeLessThan(400);
    const held = test.app
      .get(StreamRegistry)
      .streamsOf(ben.id)
      .reduce((sum, { buffered }) => sum + buffered, 0);
    expect(held).toBeLessThan(1_000_000);
    slow.response.resume();
    await slow.atLeast(400);
    const ids = (reader: EventReader) => reader.frames.map(({ data }) => data.message.id);
    expect(ids(slow)).toEqual(ids(quick));
  });
});
