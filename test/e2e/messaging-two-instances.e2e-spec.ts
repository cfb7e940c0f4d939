import { DataSource } from 'typeorm';
import { ChatUser } from '../support/messaging';
import type { Message } from '../support/messaging-types';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

const ROUNDS = raceRounds(40);

/** Two instances of the service on one database, so that only the database can decide a race. */
describe('Concurrent requests on two instances', () => {
  let test: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database });
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  const dataSource = (): DataSource => test.app.get(DataSource);

  it('count new groups for each of their new users', async () => {
    const owners = await Promise.all(
      Array.from({ length: 10 }, (_, index) => ChatUser.signIn((index % 2 ? test : other).api, 100 + index)),
    );
    const newUsers = Array.from({ length: 90 }, (_, index) => 1000 + index);
    await insertUsers(dataSource(), newUsers);
    await Promise.all(
      owners.map((owner, index) => owner.createGroup(index % 2 ? newUsers : newUsers.toReversed())),
    );
    const counts = await dataSource().query(
      'SELECT total, COUNT(*) AS users FROM conversation_counts WHERE user_id >= 1000 GROUP BY total',
    );
    expect(counts.map((row: object) => Object.values(row).map(Number))).toEqual([[10, 90]]);
  });

  it.each([
    ['a renaming', 'put', '', { name: 'New' }, `SELECT id FROM conversations WHERE id = ? AND name = 'New'`],
    [
      'an addition',
      'post',
      '/members',
      { user_ids: [3] },
      'SELECT user_id FROM conversation_members WHERE conversation_id = ? AND user_id = 3',
    ],
  ] as const)(
    'apply %s of a leaving owner if the response is a success, and else not',
    async (_, method, path, body, effect) => {
      const [here, there, ben] = await Promise.all([
        ChatUser.signIn(test.api, 1),
        ChatUser.signIn(other.api, 1),
        ChatUser.signIn(test.api, 2),
        ChatUser.signIn(test.api, 3),
      ]);
      for (let round = 0; round < ROUNDS; round += 1) {
        const group = await here.createGroup([ben.id]);
        const [response] = await Promise.all([
          here.api[method](`/api/messages/conversations/${group}${path}`, body),
          there.leave(group),
        ]);
        const effects = await dataSource().query(effect, [group]);
        expect([response.body.code === 0, effects.length]).toEqual(
          response.body.code === 0 ? [true, 1] : [false, 0],
        );
      }
    },
  );

  it('return the current settings to a leaving member, or an error', async () => {
    const [owner, here, there] = await Promise.all([
      ChatUser.signIn(test.api, 1),
      ChatUser.signIn(test.api, 2),
      ChatUser.signIn(other.api, 2),
    ]);
    for (let round = 0; round < ROUNDS; round += 1) {
      const group = await owner.createGroup([2]);
      const [response] = await Promise.all([here.trySettings(group, { muted: true }), there.leave(group)]);
      const logged = await dataSource().query(
        `SELECT seq FROM events WHERE user_id = 2 AND type = 'conversation.updated' AND payload LIKE ?`,
        [`%"id":${group},%"muted":true%`],
      );
      expect(logged).toHaveLength(response.body.code === 0 ? 1 : 0);
    }
  });

  it('never show a message as read without a counted reader', async () => {
    const [here, there, ben, cat] = await Promise.all([
      ChatUser.signIn(test.api, 1),
      ChatUser.signIn(other.api, 1),
      ChatUser.signIn(test.api, 2),
      ChatUser.signIn(other.api, 3),
    ]);
    const group = await here.createGroup([2, 3]);
    const seen: Message[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await here.send(group);
      const looks = [here, there, ben, cat, here, there].map((who) => who.peek(group));
      const reads = [ben.read(group), cat.read(group)];
      seen.push(...(await Promise.all(looks)).flat());
      await Promise.all(reads);
    }
    expect(seen.filter(({ is_read, read_count }) => is_read && read_count === 0)).toEqual([]);
    const own = seen.filter(({ is_self }) => is_self);
    expect(own.filter(({ is_read, read_count }) => !is_read && read_count > 0)).toEqual([]);
    expect(seen.filter(({ read_count, unread_count }) => read_count + unread_count !== 2)).toEqual([]);
  });

  it('count the unread total exactly', async () => {
    const people = await Promise.all(
      [1, 2, 3, 4].flatMap((id) => [ChatUser.signIn(test.api, id), ChatUser.signIn(other.api, id)]),
    );
    const at = (index: number): ChatUser => people[index % people.length] as ChatUser;
    const chats = [
      await at(0).createGroup([2, 3]),
      await at(0).createGroup([2, 3]),
      await at(0).openSingle(2),
    ];
    for (let round = 0; round < ROUNDS / 2; round += 1) {
      const chat = chats[round % 3] as number;
      const next = chats[(round + 1) % 3] as number;
      const { id } = await at(round % 4).send(chat);
      await at((round + 1) % 4).send(chat);
      const acts = [
        at(round).tryRecall(id),
        at(round + 1).tryRead(chat, { message_id: id }),
        at(2).tryRead(chat),
        at(3).trySend(chat, { type: 'text', content: 'x' }),
        at(4).trySend(next, { type: 'text', content: 'x' }),
        at(2).trySettings(chat, { muted: round % 2 === 0 }),
        at(3).trySettings(next, { hidden: true }),
        at(5).tryHistory(next),
        at(0).tryAdd(chats[0] as number, [4]),
        at(7).tryRemove(chats[0] as number, 4),
      ];
      const responses = await Promise.all(acts);
      expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
    }
    for (const person of people) {
      const listed = await person.list('?per_page=100');
      const hidden = await dataSource().query(
        'SELECT conversation_id AS id FROM conversation_members WHERE user_id = ? AND hidden = 1',
        [person.id],
      );
      expect(listed.pagination.total).toBe(listed.items.length);
      const muted = await dataSource().query(
        'SELECT conversation_id AS id FROM conversation_members WHERE user_id = ? AND muted = 1',
        [person.id],
      );
      const isMuted = new Set(muted.map((row: { id: number }) => row.id));
      const all = [
        ...listed.items,
        ...(await Promise.all(hidden.map((row: { id: number }) => person.conversation(row.id)))),
      ];
      const unread = all.filter(({ id }) => !isMuted.has(id)).map(({ unread_count }) => unread_count);
      expect(await person.unreadTotal()).toBe(unread.reduce((sum, count) => sum + count, 0));
    }
  });
});
