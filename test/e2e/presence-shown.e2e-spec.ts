import { DataSource } from 'typeorm';
import { newUserIds } from '../support/calls';
import type { EventReader } from '../support/event-reader';
import { ChatUser, dataOf, errorOf } from '../support/messaging';
import { scrape } from '../support/metrics';
import { block, presenceOf } from '../support/people';
import { offline, online, presenceItemsOf, PresenceFixture } from '../support/presence-fixture';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

const LATER = '2026-01-31T08:01:00.000Z';

describe('Presence', () => {
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

  it('is online during an event stream and ten seconds after, then offline with the time', async () => {
    expect(await presenceOf(ann.api, ben.id)).toEqual([offline(ben.id)]);
    const reader = await people.connect(test, ben.id);
    expect(await presenceOf(ann.api, ben.id)).toEqual([online(ben.id)]);
    test.clock.set(LATER);
    await people.disconnect(test, reader);
    test.clock.advance(9.9);
    expect(await presenceOf(ann.api, ben.id)).toEqual([online(ben.id)]);
    test.clock.advance(0.1);
    expect(await presenceOf(ann.api, ben.id)).toEqual([offline(ben.id, LATER)]);
    // A poll does not make a user online.
    await ben.api.get('/api/events/poll');
    await people.runJobs(test);
    expect(await presenceOf(ann.api, ben.id)).toEqual([offline(ben.id, LATER)]);
  });

  it('follows the last of several streams', async () => {
    const [one, two] = [await people.connect(test, ben.id), await people.connect(test, ben.id)];
    await people.disconnect(test, one);
    test.clock.advance(60);
    await people.runJobs(test);
    expect(await presenceOf(ann.api, ben.id)).toEqual([online(ben.id)]);
    await people.disconnect(test, two);
    test.clock.advance(60);
    expect(await presenceOf(ann.api, ben.id)).toEqual([offline(ben.id, LATER)]);
  });

  it('is returned for users in the requested order, each once, including unknown ones and the caller', async () => {
    await people.connect(test, ann.id);
    const { id } = ben;
    const response = await ann.api.get(`/api/presence?user_ids=${id},123456789,${ann.id},${id}`);
    expect(dataOf(response)).toEqual({ items: [offline(id), offline(123_456_789), online(ann.id)] });
  });

  it('is returned for a conversation, whose members see each other without a single chat', async () => {
    const group = await ann.createGroup([ben.id, cat.id]);
    await people.connect(test, cat.id);
    expect(dataOf(await ann.api.get(`/api/presence?conversation_id=${group}`)).items).toEqual([
      offline(ann.id),
      offline(ben.id),
      online(cat.id),
    ]);
    const [dan] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    for (const query of [`conversation_id=${group}`, 'conversation_id=123456789'])
      expect(errorOf(await dan.api.get(`/api/presence?${query}`))).toEqual([403, '无权访问此会话']);
  });

  it('is empty for a conversation of more than 200', async () => {
    const crowd = Array.from({ length: 199 }, (_, index) => 7_100_000 + index);
    await insertUsers(test.app.get(DataSource), crowd);
    const group = await ann.createGroup([ben.id, ...crowd.slice(0, 198)]);
    const items = async () => dataOf(await ann.api.get(`/api/presence?conversation_id=${group}`)).items;
    expect(await items()).toHaveLength(200);
    await ann.add(group, crowd[198] ?? 0);
    expect(await items()).toEqual([]);
  });

  it.each([
    ['', 'user_ids 取值无效'],
    ['user_ids=', 'user_ids 取值无效'],
    ['user_ids=2&conversation_id=3', 'user_ids 取值无效'],
    ['user_ids=2,x', 'user_ids 取值无效'],
    ['user_ids=2,', 'user_ids 取值无效'],
    ['user_ids=0', 'user_ids 取值无效'],
    ['user_ids=-1', 'user_ids 取值无效'],
    ['user_ids=99999999999999999', 'user_ids 取值无效'],
    ['user_ids=2&user_ids=3', 'user_ids 取值无效'],
    [
      `user_ids=${Array.from({ length: 101 }, (_, index) => index + 1).join(',')}`,
      'user_ids 数量不能超过 100',
    ],
    ['conversation_id=x', 'conversation_id 必须是整数'],
    ['conversation_id=0', 'conversation_id 不能小于 1'],
  ])('rejects ?%s', async (query, message) => {
    for (const path of ['', '/stream'])
      expect(errorOf(await ann.api.get(`/api/presence${path}?${query}`))).toEqual([422, message]);
  });

  it('is byte-identical for outsiders, hidden users, blocks in either direction, and to hidden callers', async () => {
    const others = await ChatUser.signInAll(test.api, newUserIds(5));
    const [stranger, hidden, blocker, blocked, never] = others as [
      ChatUser,
      ChatUser,
      ChatUser,
      ChatUser,
      ChatUser,
    ];
    for (const one of others) if (one !== stranger) await ann.openSingle(one.id);
    for (const one of [stranger, hidden, blocker, blocked, ben]) await people.connect(test, one.id);
    await hidden.api.put('/api/auth/me', { presence_visible: false });
    await block(blocker.api, ann.id);
    await block(ann.api, blocked.id);
    const ids = others.map(({ id }) => id);
    const texts = await Promise.all(
      ids.map(async (id) => {
        const { text, headers } = await ann.api.get(`/api/presence?user_ids=${id}`);
        const { date: _date, 'x-request-id': _id, ...rest } = headers;
        return JSON.stringify([text.replaceAll(String(id), 'ID'), rest]);
      }),
    );
    expect(new Set(texts).size).toBe(1);
    expect(await presenceOf(ann.api, ...ids, ben.id)).toEqual([
      ...ids.map((id) => offline(id)),
      online(ben.id),
    ]);
    const reader = await people.watch(test, ann.id, `user_ids=${ids.join(',')}`);
    await reader.atLeast(5);
    expect(presenceItemsOf(reader)).toEqual(ids.map((id) => offline(id)));
    await ann.api.put('/api/auth/me', { presence_visible: false });
    expect(await presenceOf(ann.api, never.id, ben.id, ann.id)).toEqual([
      offline(never.id),
      offline(ben.id),
      offline(ann.id),
    ]);
  });
});

describe('Presence rows', () => {
  it('are written when the first stream opens and the last closes, and counted', async () => {
    const test = await createTestApp();
    const people = new PresenceFixture();
    try {
      await test.app.listen(0, '127.0.0.1');
      const [ben] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
      const written = async () => {
        const samples = await scrape(test.api);
        return ['opened', 'closed'].map((kind) => samples[`callboard_presence_rows_total{kind="${kind}"}`]);
      };
      const streams = [await people.connect(test, ben.id), await people.connect(test, ben.id)];
      await people.runJobs(test);
      expect(await written()).toEqual([1, 0]);
      for (const stream of streams) await people.disconnect(test, stream);
      expect(await written()).toEqual([1, 1]);
      expect(await test.query('SELECT user_id FROM presence_streams')).toEqual([{ user_id: ben.id }]);
      test.clock.advance(15);
      await people.runJobs(test);
      expect(await test.query('SELECT user_id FROM presence_streams')).toEqual([]);
      expect(await written()).toEqual([1, 1]);
    } finally {
      people.close();
      await test.close();
    }
  });
});

describe('PRESENCE=off', () => {
  it('returns all users as offline, and writes nothing', async () => {
    const test = await createTestApp({ env: { PRESENCE: 'off' } });
    const people = new PresenceFixture();
    const [annId = 0, benId = 0] = newUserIds(2);
    let presence: EventReader;
    try {
      await test.app.listen(0, '127.0.0.1');
      const [ann, ben] = (await ChatUser.signInAll(test.api, [annId, benId])) as [ChatUser, ChatUser];
      await ann.openSingle(benId);
      presence = await people.watch(test, annId, `user_ids=${benId}`);
      await presence.atLeast(1);
      const reader = await people.connect(test, benId);
      await block(ann.api, benId);
      await ben.api.put('/api/auth/me', { presence_visible: false });
      await people.disconnect(test, reader);
      expect(await presenceOf(ann.api, benId)).toEqual([offline(benId)]);
      for (const table of ['presence', 'presence_streams', 'instances'])
        expect(await test.query(`SELECT * FROM ${table}`)).toEqual([]);
    } finally {
      await test.close();
    }
    // The shutdown ends the stream, after everything that was sent on it.
    await presence.ended;
    expect(presenceItemsOf(presence)).toEqual([offline(benId)]);
  });
});
