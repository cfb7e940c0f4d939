import { DataSource } from 'typeorm';
import { newUserIds } from '../support/calls';
import type { EventReader } from '../support/event-reader';
import { Chatter } from '../support/messaging';
import { block, unblock } from '../support/people';
import { offline, online, saidBy, Watching } from '../support/presence';
import { createTestApp, START, type TestApp } from '../support/test-app';

/** Before this instance would have to say again that it is alive. */
const LATER = '2026-01-31T08:00:15.000Z';

describe('Who is there is streamed', () => {
  let test: TestApp;
  let ann: Chatter;
  let ben: Chatter;
  let cat: Chatter;
  const people = new Watching();
  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
  });
  beforeEach(async () => {
    test.clock.set(START);
    [ann, ben, cat] = (await Chatter.meetAll(test.api, newUserIds(3))) as [Chatter, Chatter, Chatter];
    await ann.openSingle(ben.id);
  });
  afterEach(() => people.close());
  afterAll(() => test?.close());

  const watch = (who: Chatter, query: string): Promise<EventReader> => people.watch(test, who.id, query);
  const hasSaid = (reader: EventReader, count: number): Promise<unknown> => reader.atLeast(count);

  it('as a comment, a frame for each, and one for each change; nobody else is told', async () => {
    const [annWatches, catWatches] = [
      await watch(ann, `user_ids=${ben.id},${cat.id}`),
      await watch(cat, `user_ids=${ann.id}`),
    ];
    await hasSaid(annWatches, 2);
    await hasSaid(catWatches, 1);
    expect(annWatches.comments).toBe(1);
    expect(annWatches.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
    });
    const listening = await people.come(test, ben.id);
    await hasSaid(annWatches, 3);
    test.clock.set(LATER);
    await people.leave(test, listening);
    test.clock.advance(10);
    await hasSaid(annWatches, 4);
    expect(annWatches.frames.every(({ id, event }) => id === undefined && event === 'presence')).toBe(true);
    expect(saidBy(annWatches)).toEqual([
      offline(ben.id),
      offline(cat.id),
      online(ben.id),
      offline(ben.id, LATER),
    ]);
    expect(saidBy(catWatches)).toEqual([offline(ann.id)]);
  });

  it('without a frame for who comes back within ten seconds', async () => {
    const reader = await watch(ann, `user_ids=${ben.id}`);
    await people.leave(test, await people.come(test, ben.id));
    test.clock.advance(5);
    await people.come(test, ben.id);
    await people.wait(30, test);
    await ben.api.put('/api/auth/me', { presence_visible: false });
    await hasSaid(reader, 3);
    expect(saidBy(reader)).toEqual([offline(ben.id), online(ben.id), offline(ben.id)]);
  });

  it('when somebody hides or shows again, blocks or ceases to, either way', async () => {
    await people.come(test, ben.id);
    const reader = await watch(ann, `user_ids=${ben.id}`);
    const expected = [online(ben.id)];
    const after = async (act: Promise<unknown>, isThere: boolean): Promise<void> => {
      await act;
      expected.push(isThere ? online(ben.id) : offline(ben.id));
      await hasSaid(reader, expected.length);
      expect(saidBy(reader)).toEqual(expected);
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

  it('of a conversation as long as one is a member, looked at with each change', async () => {
    const group = await cat.createGroup([ann.id, ben.id]);
    const reader = await watch(ann, `conversation_id=${group}`);
    await hasSaid(reader, 3);
    const benHere = await people.come(test, ben.id);
    await hasSaid(reader, 4);
    await ann.leave(group);
    test.clock.set(LATER);
    await people.leave(test, benHere);
    test.clock.advance(10);
    await hasSaid(reader, 5);
    expect(saidBy(reader).slice(3)).toEqual([online(ben.id), offline(ben.id)]);
  });

  it('five times for a user: a sixth ends the oldest', async () => {
    const streams = [];
    for (let count = 0; count < 6; count += 1) streams.push(await watch(ann, `user_ids=${ben.id}`));
    await streams[0]?.ended;
    await people.come(test, ben.id);
    for (const stream of streams.slice(1)) await hasSaid(stream, 2);
  });

  it('until the token expires or the user is locked out, with comments meanwhile', async () => {
    const admin = await test.api.as({ id: 900_001, role: 'admin' });
    const soon = Math.floor(Date.parse(START) / 1_000) + 60;
    const [annWatches, benWatches] = [
      await people.watch(test, ann.id, `user_ids=${ben.id}`),
      await people.watch(test, ben.id, `user_ids=${ann.id}`, { exp: soon }),
    ];
    test.clock.advance(15);
    await people.pass(test);
    await annWatches.until(() => annWatches.comments === 2);
    test.clock.advance(45);
    await people.pass(test);
    await benWatches.ended;
    await admin.put(`/api/admin/users/${ann.id}`, { status: 0 });
    await annWatches.ended;
  });

  it('and costs nothing that is not watched: no frame, no look, no question', async () => {
    await people.come(test, cat.id);
    const asked = jest.spyOn(test.app.get(DataSource), 'query');
    const managed = jest.spyOn(test.app.get(DataSource).manager, 'query');
    const reader = await people.come(test, ben.id);
    await people.leave(test, reader);
    const statements = [...asked.mock.calls, ...managed.mock.calls].map(([sql]) => sql);
    jest.restoreAllMocks();
    expect(statements.filter((sql) => /changed_at >=|FROM presence p/.test(sql))).toEqual([]);
  });
});
