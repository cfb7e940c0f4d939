import type { AddressInfo } from 'node:net';
import { newUserIds } from '../support/calls';
import { EventReader, type Frame } from '../support/event-reader';
import { ChatUser, switchToLargeGroup } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Live read receipts', () => {
  let test: TestApp;
  let url: string;
  let people: [ChatUser, ChatUser, ChatUser];
  let group: number;
  const readers: EventReader[] = [];
  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(test.app.getHttpServer().address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    test.clock.set(START);
    people = (await ChatUser.signInAll(test.api, newUserIds(3))) as [ChatUser, ChatUser, ChatUser];
    group = await people[0].createGroup([people[1].id, people[2].id]);
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });
  afterAll(() => test?.close());

  const listen = async ({ id }: ChatUser): Promise<EventReader> => {
    const reader = await EventReader.open(url, { userId: id });
    readers.push(reader);
    return reader;
  };
  const readsIn = ({ frames }: EventReader): Frame[] =>
    frames.filter(({ event }) => event === 'conversation.read');
  /** Sends an event and waits until it arrives, so that all earlier events have arrived. */
  const settle = async (reader: EventReader, { id }: ChatUser): Promise<void> => {
    const before = reader.types.filter((type) => type === 'notification.created').length;
    const admin = await test.api.as({ id: 1, role: 'admin' });
    const notice = { user_ids: [id], type: 'x', title: 'x', content: 'x' };
    await admin.post('/api/admin/notifications', notice);
    await reader.until(() => reader.types.filter((type) => type === 'notification.created').length > before);
  };

  it('are sent to the other members of a small group, without an id', async () => {
    const [ann, ben, cat] = people;
    const [annStream, catStream] = [await listen(ann), await listen(cat)];
    const { id } = await ann.send(group);
    await ben.read(group);
    for (const reader of [annStream, catStream]) {
      await reader.until(() => readsIn(reader).length > 0);
      expect(readsIn(reader)).toEqual([
        {
          event: 'conversation.read',
          data: {
            type: 'conversation.read',
            created_at: START,
            conversation_id: group,
            user_id: ben.id,
            up_to_message_id: id,
            read_at: '2026-01-31 16:00:00',
            unread_count: null,
            mention_id: null,
          },
        },
      ]);
    }
  });

  it('are not sent to the reader, who receives a stored event, or to polling clients', async () => {
    const [ann, ben, cat] = people;
    const [benStream, catStream] = [await listen(ben), await listen(cat)];
    await ann.send(group);
    await ben.read(group);
    await catStream.until(() => readsIn(catStream).length > 0);
    await benStream.until(() => readsIn(benStream).length > 0);
    await settle(benStream, ben);
    expect(readsIn(benStream)).toMatchObject([{ id: expect.any(String), data: { unread_count: 0 } }]);
    const { items } = (await ann.api.get('/api/events/poll?limit=500')).body.data;
    expect(items.map(({ type }: { type: string }) => type)).not.toContain('conversation.read');
  });

  it('of one reader are sent once in three seconds, and then the last', async () => {
    const [ann, ben] = people;
    const listener = await listen(ann);
    const sent = [];
    for (let index = 0; index < 3; index += 1) sent.push(await ann.send(group));
    for (const { id } of sent) await ben.read(group, id);
    await listener.until(() => readsIn(listener).length > 0);
    await settle(listener, ann);
    expect(readsIn(listener).map(({ data }) => data.up_to_message_id)).toEqual([sent[0]?.id]);
    test.clock.advance(3);
    await listener.until(() => readsIn(listener).length > 1);
    await settle(listener, ann);
    expect(readsIn(listener).map(({ data }) => data.up_to_message_id)).toEqual([sent[0]?.id, sent[2]?.id]);
  });

  it('are throttled per reader and group', async () => {
    const [ann, ben, cat] = people;
    const listener = await listen(ann);
    const other = await ann.createGroup([ben.id]);
    await ann.send(group);
    await ann.send(other);
    await Promise.all([ben.read(group), cat.read(group), ben.read(other)]);
    await listener.until(() => readsIn(listener).length > 2);
    expect(
      readsIn(listener)
        .map(({ data }) => `${data.conversation_id}:${data.user_id}`)
        .toSorted(),
    ).toEqual([`${group}:${ben.id}`, `${group}:${cat.id}`, `${other}:${ben.id}`].toSorted());
  });

  it('are not sent in a large group, or twice in a single chat', async () => {
    const [ann, ben] = people;
    const listener = await listen(ann);
    await switchToLargeGroup(test, group);
    const single = await ann.openSingle(ben.id);
    await ann.send(group);
    await ann.send(single);
    await ben.read(group);
    await ben.read(single);
    await listener.until(() => readsIn(listener).length > 0);
    await settle(listener, ann);
    expect(readsIn(listener)).toMatchObject([{ id: expect.any(String), data: { conversation_id: single } }]);
  });

  it('are not sent for former members', async () => {
    const [ann, ben, cat] = people;
    const [annStream, catStream] = [await listen(ann), await listen(cat)];
    await ann.send(group);
    await cat.leave(group);
    await ben.read(group);
    await annStream.until(() => readsIn(annStream).length > 0);
    await settle(catStream, cat);
    expect(readsIn(catStream)).toEqual([]);
  });
});
