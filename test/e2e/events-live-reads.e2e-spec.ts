import type { AddressInfo } from 'node:net';
import { newUserIds } from '../support/calls';
import { EventReader, type Frame } from '../support/event-reader';
import { Chatter, makeLarge } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Who has read is heard live', () => {
  let test: TestApp;
  let url: string;
  let people: [Chatter, Chatter, Chatter];
  let group: number;
  const readers: EventReader[] = [];
  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(test.app.getHttpServer().address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    test.clock.set(START);
    people = (await Chatter.meetAll(test.api, newUserIds(3))) as [Chatter, Chatter, Chatter];
    group = await people[0].createGroup([people[1].id, people[2].id]);
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });
  afterAll(() => test?.close());

  const listen = async ({ id }: Chatter): Promise<EventReader> => {
    const reader = await EventReader.open(url, { userId: id });
    readers.push(reader);
    return reader;
  };
  const readsIn = ({ frames }: EventReader): Frame[] =>
    frames.filter(({ event }) => event === 'conversation.read');
  /** Something after which all that came before has come. */
  const settle = async (reader: EventReader, { id }: Chatter): Promise<void> => {
    const before = reader.types.filter((type) => type === 'notification.created').length;
    const admin = await test.api.as({ id: 1, role: 'admin' });
    const notice = { user_ids: [id], type: 'x', title: 'x', content: 'x' };
    await admin.post('/api/admin/notifications', notice);
    await reader.until(() => reader.types.filter((type) => type === 'notification.created').length > before);
  };

  it('by the other members of a small group, without an id', async () => {
    const [ann, ben, cat] = people;
    const [annHears, catHears] = [await listen(ann), await listen(cat)];
    const { id } = await ann.send(group);
    await ben.read(group);
    for (const reader of [annHears, catHears]) {
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

  it('not by the reader, who is told with an id, nor by those who poll', async () => {
    const [ann, ben, cat] = people;
    const [benHears, catHears] = [await listen(ben), await listen(cat)];
    await ann.send(group);
    await ben.read(group);
    await catHears.until(() => readsIn(catHears).length > 0);
    await benHears.until(() => readsIn(benHears).length > 0);
    await settle(benHears, ben);
    expect(readsIn(benHears)).toMatchObject([{ id: expect.any(String), data: { unread_count: 0 } }]);
    const { items } = (await ann.api.get('/api/events/poll?limit=500')).body.data;
    expect(items.map(({ type }: { type: string }) => type)).not.toContain('conversation.read');
  });

  it('of one reader once in three seconds, and then the last', async () => {
    const [ann, ben] = people;
    const hears = await listen(ann);
    const sent = [];
    for (let index = 0; index < 3; index += 1) sent.push(await ann.send(group));
    for (const { id } of sent) await ben.read(group, id);
    await hears.until(() => readsIn(hears).length > 0);
    await settle(hears, ann);
    expect(readsIn(hears).map(({ data }) => data.up_to_message_id)).toEqual([sent[0]?.id]);
    test.clock.advance(3);
    await hears.until(() => readsIn(hears).length > 1);
    await settle(hears, ann);
    expect(readsIn(hears).map(({ data }) => data.up_to_message_id)).toEqual([sent[0]?.id, sent[2]?.id]);
  });

  it('of each reader and each group by itself', async () => {
    const [ann, ben, cat] = people;
    const hears = await listen(ann);
    const other = await ann.createGroup([ben.id]);
    await ann.send(group);
    await ann.send(other);
    await Promise.all([ben.read(group), cat.read(group), ben.read(other)]);
    await hears.until(() => readsIn(hears).length > 2);
    expect(
      readsIn(hears)
        .map(({ data }) => `${data.conversation_id}:${data.user_id}`)
        .toSorted(),
    ).toEqual([`${group}:${ben.id}`, `${group}:${cat.id}`, `${other}:${ben.id}`].toSorted());
  });

  it('not in a large group, nor twice in a single chat', async () => {
    const [ann, ben] = people;
    const hears = await listen(ann);
    await makeLarge(test, group);
    const single = await ann.openSingle(ben.id);
    await ann.send(group);
    await ann.send(single);
    await ben.read(group);
    await ben.read(single);
    await hears.until(() => readsIn(hears).length > 0);
    await settle(hears, ann);
    expect(readsIn(hears)).toMatchObject([{ id: expect.any(String), data: { conversation_id: single } }]);
  });

  it('not by who has left', async () => {
    const [ann, ben, cat] = people;
    const [annHears, catHears] = [await listen(ann), await listen(cat)];
    await ann.send(group);
    await cat.leave(group);
    await ben.read(group);
    await annHears.until(() => readsIn(annHears).length > 0);
    await settle(catHears, cat);
    expect(readsIn(catHears)).toEqual([]);
  });
});
