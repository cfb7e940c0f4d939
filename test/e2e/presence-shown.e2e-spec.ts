import { DataSource } from 'typeorm';
import { newUserIds } from '../support/calls';
import { Chatter, dataOf, verdictOf } from '../support/messaging';
import { scrape } from '../support/metrics';
import { block, presenceOf } from '../support/people';
import { offline, online, saidBy, Watching } from '../support/presence';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

const LATER = '2026-01-31T08:01:00.000Z';

describe('Who is there', () => {
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

  it('is who listens to events, and did within ten seconds; then when that was', async () => {
    expect(await presenceOf(ann.api, ben.id)).toEqual([offline(ben.id)]);
    const reader = await people.come(test, ben.id);
    expect(await presenceOf(ann.api, ben.id)).toEqual([online(ben.id)]);
    test.clock.set(LATER);
    await people.leave(test, reader);
    test.clock.advance(9.9);
    expect(await presenceOf(ann.api, ben.id)).toEqual([online(ben.id)]);
    test.clock.advance(0.1);
    expect(await presenceOf(ann.api, ben.id)).toEqual([offline(ben.id, LATER)]);
    // Polling does not count.
    await ben.api.get('/api/events/poll');
    await people.pass(test);
    expect(await presenceOf(ann.api, ben.id)).toEqual([offline(ben.id, LATER)]);
  });

  it('goes by the last of several streams', async () => {
    const [one, two] = [await people.come(test, ben.id), await people.come(test, ben.id)];
    await people.leave(test, one);
    test.clock.advance(60);
    await people.pass(test);
    expect(await presenceOf(ann.api, ben.id)).toEqual([online(ben.id)]);
    await people.leave(test, two);
    test.clock.advance(60);
    expect(await presenceOf(ann.api, ben.id)).toEqual([offline(ben.id, LATER)]);
  });

  it('is asked for users, in their order, each once, unknown ones and oneself among them', async () => {
    await people.come(test, ann.id);
    const { id } = ben;
    const answer = await ann.api.get(`/api/presence?user_ids=${id},123456789,${ann.id},${id}`);
    expect(dataOf(answer)).toEqual({ items: [offline(id), offline(123_456_789), online(ann.id)] });
  });

  it('is asked for a conversation, whose members see each other without a single chat', async () => {
    const group = await ann.createGroup([ben.id, cat.id]);
    await people.come(test, cat.id);
    expect(dataOf(await ann.api.get(`/api/presence?conversation_id=${group}`)).items).toEqual([
      offline(ann.id),
      offline(ben.id),
      online(cat.id),
    ]);
    const [dan] = (await Chatter.meetAll(test.api, newUserIds(1))) as [Chatter];
    for (const query of [`conversation_id=${group}`, 'conversation_id=123456789'])
      expect(verdictOf(await dan.api.get(`/api/presence?${query}`))).toEqual([403, '无权访问此会话']);
  });

  it('is nobody in a conversation of more than 200', async () => {
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
  ])('is not told for ?%s', async (query, message) => {
    for (const path of ['', '/stream'])
      expect(verdictOf(await ann.api.get(`/api/presence${path}?${query}`))).toEqual([422, message]);
  });

  it('looks alike of strangers, who hides, who is behind a block either way, and to who hides: to the byte', async () => {
    const others = await Chatter.meetAll(test.api, newUserIds(5));
    const [stranger, hidden, blocker, blocked, never] = others as [
      Chatter,
      Chatter,
      Chatter,
      Chatter,
      Chatter,
    ];
    for (const one of others) if (one !== stranger) await ann.openSingle(one.id);
    for (const one of [stranger, hidden, blocker, blocked, ben]) await people.come(test, one.id);
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
    expect(saidBy(reader)).toEqual(ids.map((id) => offline(id)));
    await ann.api.put('/api/auth/me', { presence_visible: false });
    expect(await presenceOf(ann.api, never.id, ben.id, ann.id)).toEqual([
      offline(never.id),
      offline(ben.id),
      offline(ann.id),
    ]);
  });
});

describe('Presence rows', () => {
  it('are written when the first stream opens and when the last closes, and counted', async () => {
    const test = await createTestApp();
    const people = new Watching();
    try {
      await test.app.listen(0, '127.0.0.1');
      const [ben] = (await Chatter.meetAll(test.api, newUserIds(1))) as [Chatter];
      const written = async () => {
        const samples = await scrape(test.api);
        return ['opened', 'closed'].map((kind) => samples[`callboard_presence_rows_total{kind="${kind}"}`]);
      };
      const streams = [await people.come(test, ben.id), await people.come(test, ben.id)];
      await people.pass(test);
      expect(await written()).toEqual([1, 0]);
      for (const stream of streams) await people.leave(test, stream);
      expect(await written()).toEqual([1, 1]);
      expect(await test.query('SELECT user_id FROM presence_streams')).toEqual([{ user_id: ben.id }]);
      test.clock.advance(15);
      await people.pass(test);
      expect(await test.query('SELECT user_id FROM presence_streams')).toEqual([]);
      expect(await written()).toEqual([1, 1]);
    } finally {
      people.close();
      await test.close();
    }
  });
});

describe('PRESENCE=off', () => {
  it('tells of everybody that they are not there, and writes nothing', async () => {
    const test = await createTestApp({ env: { PRESENCE: 'off' } });
    const people = new Watching();
    try {
      await test.app.listen(0, '127.0.0.1');
      const [ann, ben] = (await Chatter.meetAll(test.api, newUserIds(2))) as [Chatter, Chatter];
      await ann.openSingle(ben.id);
      const watching = await people.watch(test, ann.id, `user_ids=${ben.id}`);
      const reader = await people.come(test, ben.id);
      await block(ann.api, ben.id);
      await ben.api.put('/api/auth/me', { presence_visible: false });
      await people.leave(test, reader);
      expect(await presenceOf(ann.api, ben.id)).toEqual([offline(ben.id)]);
      expect(saidBy(watching)).toEqual([offline(ben.id)]);
      for (const table of ['presence', 'presence_streams', 'instances'])
        expect(await test.query(`SELECT * FROM ${table}`)).toEqual([]);
    } finally {
      people.close();
      await test.close();
    }
  });
});
