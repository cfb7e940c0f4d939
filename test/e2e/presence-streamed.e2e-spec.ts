import { DataSource } from 'typeorm';
import { newUserIds } from '../support/calls';
import type { EventReader } from '../support/event-reader';
import { ChatUser } from '../support/messaging';
import { block, unblock } from '../support/people';
import { offline, online, presenceItemsOf, PresenceFixture } from '../support/presence-fixture';
import { createTestApp, START, type TestApp } from '../support/test-app';

/** A time before the instance must renew its row. */
const LATER = '2026-01-31T08:00:15.000Z';

describe('A presence stream', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  const people = new PresenceFixture();
  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
  });
  beforeEach(async () => {
    test.clock.set(START);
    [ann, ben, cat] = (await ChatUser.signInAll(test.api, newUserIds(3))) as [ChatUser, ChatUser, ChatUser];
    await ann.openSingle(ben.id);
  });
  afterEach(() => people.close());
  afterAll(() => test?.close());

  const watch = (who: ChatUser, query: string): Promise<EventReader> => people.watch(test, who.id, query);
  const hasSaid = (reader: EventReader, count: number): Promise<unknown> => reader.atLeast(count);

  it('sends a comment, one frame per user, and one per change, only to its own watcher', async () => {
    const [annWatcher, catWatcher] = [
      await watch(ann, `user_ids=${ben.id},${cat.id}`),
      await watch(cat, `user_ids=${ann.id}`),
    ];
    await hasSaid(annWatcher, 2);
    await hasSaid(catWatcher, 1);
    expect(annWatcher.comments).toBe(1);
    expect(annWatcher.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
    });
    const listening = await people.connect(test, ben.id);
    await hasSaid(annWatcher, 3);
    test.clock.set(LATER);
    await people.disconnect(test, listening);
    test.clock.advance(10);
    await hasSaid(annWatcher, 4);
    expect(annWatcher.frames.every(({ id, event }) => id === undefined && event === 'presence')).toBe(true);
    expect(presenceItemsOf(annWatcher)).toEqual([
      offline(ben.id),
      offline(cat.id),
      online(ben.id),
      offline(ben.id, LATER),
    ]);
    expect(presenceItemsOf(catWatcher)).toEqual([offline(ann.id)]);
  });

  it('sends no frame for a user who returns within ten seconds', async () => {
    const reader = await watch(ann, `user_ids=${ben.id}`);
    await people.disconnect(test, await people.connect(test, ben.id));
    test.clock.advance(5);
    await people.connect(test, ben.id);
    await people.advance(30, test);
    await ben.api.put('/api/auth/me', { presence_visible: false });
    await hasSaid(reader, 3);
    expect(presenceItemsOf(reader)).toEqual([offline(ben.id), online(ben.id), offline(ben.id)]);
  });

  it('sends a frame when a user hides, unhides, blocks or unblocks, in either direction', async () => {
    await people.connect(test, ben.id);
    const reader = await watch(ann, `user_ids=${ben.id}`);
    const expected = [online(ben.id)];
    const after = async (act: Promise<unknown>, isThere: boolean): Promise<void> => {
      await act;
      expected.push(isThere ? online(ben.id) : offline(ben.id));
      await hasSaid(reader, expected.length);
      expect(presenceItemsOf(reader)).toEqual(expected);
    };
    await hasSaid(reader, 1);
    const me = '/api/auth/me';
    await after(ben.api.put(me, { presence_visible: false }), false);
    await after(ben.api.put(me, { presence_visible: true }), true);
    await after(ann.api.put(me, { presence_visible: false }), false);
    await after(ann.api.put(me, { presence_visible: true }), true);
    await after(block(ann.api, ben.id), false);
    await after(unblock(ann.api, ben.id), true);
    await after(block(ben.api, ann.id), false);
    await after(unblock(ben.api, ann.id), true);
  });

  it('of a conversation follows the membership with each change', async () => {
    const group = await cat.createGroup([ann.id, ben.id]);
    const reader = await watch(ann, `conversation_id=${group}`);
    await hasSaid(reader, 3);
    const benHere = await people.connect(test, ben.id);
    await hasSaid(reader, 4);
    await ann.leave(group);
    test.clock.set(LATER);
    await people.disconnect(test, benHere);
    test.clock.advance(10);
    await hasSaid(reader, 5);
    expect(presenceItemsOf(reader).slice(3)).toEqual([online(ben.id), offline(ben.id)]);
  });

  it('is limited to five per user: a sixth closes the oldest', async () => {
    const streams = [];
    for (let count = 0; count < 6; count += 1) streams.push(await watch(ann, `user_ids=${ben.id}`));
    await streams[0]?.ended;
    await people.connect(test, ben.id);
    for (const stream of streams.slice(1)) await hasSaid(stream, 2);
  });

  it('ends with its token or when the user is disabled, with comments meanwhile', async () => {
    const admin = await test.api.as({ id: 900_001, role: 'admin' });
    const soon = Math.floor(Date.parse(START) / 1_000) + 60;
    const [annWatcher, benWatcher] = [
      await people.watch(test, ann.id, `user_ids=${ben.id}`),
      await people.watch(test, ben.id, `user_ids=${ann.id}`, { exp: soon }),
    ];
    test.clock.advance(15);
    await people.runJobs(test);
    await annWatcher.until(() => annWatcher.comments === 2);
    test.clock.advance(45);
    await people.runJobs(test);
    await benWatcher.ended;
    await admin.put(`/api/admin/users/${ann.id}`, { status: 0 });
    await annWatcher.ended;
  });

  it('costs nothing for unwatched users: no frame, no poll, no query', async () => {
    await people.connect(test, cat.id);
    const asked = jest.spyOn(test.app.get(DataSource), 'query');
    const managed = jest.spyOn(test.app.get(DataSource).manager, 'query');
    const reader = await people.connect(test, ben.id);
    await people.disconnect(test, reader);
    const statements = [...asked.mock.calls, ...managed.mock.calls].map(([sql]) => sql);
    jest.restoreAllMocks();
    expect(statements.filter((sql) => /changed_at >=|FROM presence p/.test(sql))).toEqual([]);
  });
});
