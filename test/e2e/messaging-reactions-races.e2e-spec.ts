import { DataSource } from 'typeorm';
import { newUserIds } from '../support/calls';
import { ChatUser, errorOf } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const ROUNDS = raceRounds(25);

/** Two instances of the service on one database, so that only the database can decide a race. */
describe('Concurrent requests on two instances', () => {
  let test: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    const env = { CHAT_NOTICES: 'members,calls' };
    test = await createTestApp({ env });
    other = await createTestApp({ env, database: test.database });
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  /** Creates users, alternately on both instances. */
  const newUsers = (count: number): Promise<ChatUser[]> =>
    Promise.all(newUserIds(count).map((id, index) => ChatUser.signIn((index % 2 ? other : test).api, id)));
  const onBoth = async (id: number): Promise<[ChatUser, ChatUser]> =>
    Promise.all([ChatUser.signIn(test.api, id), ChatUser.signIn(other.api, id)]);

  it('store and publish one of 50 equal reactions', async () => {
    const [ann] = (await newUsers(1)) as [ChatUser];
    const [id = 0] = newUserIds(1);
    const [here, there] = await onBoth(id);
    const group = await ann.createGroup([id]);
    const message = await ann.send(group);
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 ? here : there).react(message.id, '❤')),
    );
    expect(new Set(responses.map((response) => JSON.stringify(response)))).toEqual(
      new Set(['[{"emoji":"❤","count":1,"reacted":true}]']),
    );
    expect(await ann.events('message.reacted')).toHaveLength(1);
  });

  it('store reactions of 50 users, each published with its own count', async () => {
    const [ann, ...users] = (await newUsers(51)) as [ChatUser, ...ChatUser[]];
    const group = await ann.createGroup(users.map(({ id }) => id));
    const { id } = await ann.send(group);
    await Promise.all(users.map((user, index) => user.react(id, index % 2 ? '❤' : '❤️')));
    expect((await ann.peek(group))[0]?.reactions).toMatchObject([{ count: 50, reacted: false }]);
    const received = await ann.events('message.reacted');
    expect(received.map(({ count }) => count)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it('accept one of the 20th and the 21st reaction', async () => {
    const [ann, ben, cat] = (await newUsers(3)) as [ChatUser, ChatUser, ChatUser];
    const group = await ann.createGroup([ben.id, cat.id]);
    for (let round = 0; round < ROUNDS / 5; round += 1) {
      const { id } = await ann.send(group);
      for (let index = 0; index < 19; index += 1) await ann.react(id, String.fromCodePoint(0x1f600 + index));
      const responses = await Promise.all([
        ann.tryReact(id, '👍'),
        ben.tryReact(id, '🎉'),
        cat.tryReact(id, '🐸'),
        ben.tryReact(id, '🌍'),
      ]);
      expect(responses.filter(({ body }) => body.code === 0)).toHaveLength(1);
      expect(responses.filter(({ body }) => body.code !== 0).map(errorOf)).toEqual(
        Array.from({ length: 3 }, () => [422, 'emoji 数量不能超过 20']),
      );
    }
  });

  it('leave no reaction on a recalled message', async () => {
    const [ann, ben, cat] = (await newUsers(3)) as [ChatUser, ChatUser, ChatUser];
    const group = await ann.createGroup([ben.id, cat.id]);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await ann.send(group);
      if (round % 2) await ben.react(id, '🎉');
      const [, recalled] = await Promise.all([
        ben.tryReact(id, '👍'),
        ann.recall(id),
        cat.tryReact(id, '👍'),
        ben.tryReact(id, '🎉', false),
      ]);
      expect(recalled.reactions).toEqual([]);
      expect((await cat.peek(group))[0]?.reactions).toEqual([]);
    }
    const left = await test.query(`SELECT seq FROM message_reactions WHERE conversation_id = ${group}`);
    expect(left).toEqual([]);
  });

  it('count reactions and their removals exactly', async () => {
    const [ann, ben] = (await newUsers(2)) as [ChatUser, ChatUser];
    const [here, there] = await onBoth(ben.id);
    const group = await ann.createGroup([ben.id]);
    const { id } = await ann.send(group);
    for (let round = 0; round < ROUNDS; round += 1)
      await Promise.all([
        here.react(id, '👍', round % 2 === 0),
        there.react(id, '👍', round % 3 === 0),
        ann.react(id, '👍', round % 5 === 0),
      ]);
    const received = await ann.events('message.reacted');
    const last = (await ann.peek(group))[0]?.reactions[0]?.count ?? 0;
    expect(received.at(-1)?.count).toBe(last);
  });

  it('delete one message once from two terminals, beside other requests', async () => {
    const [ann, ben] = (await newUsers(2)) as [ChatUser, ChatUser];
    const [here, there] = await onBoth(ben.id);
    const group = await ann.createGroup([ben.id]);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await ann.send(group);
      const responses = await Promise.all([
        here.tryDelete(id),
        there.tryDelete(id),
        ann.tryRecall(id),
        ann.trySend(group, { type: 'text', content: 'x' }),
        there.tryRead(group),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    }
    expect(await here.events('message.deleted')).toHaveLength(ROUNDS);
  });

  it('clear a message sent meanwhile or keep it, as the responses state', async () => {
    const [ann, ben] = (await newUsers(2)) as [ChatUser, ChatUser];
    const [here, there] = await onBoth(ben.id);
    for (const group of [await ann.createGroup([ben.id]), await ann.openSingle(ben.id)]) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [sent] = await Promise.all([
          ann.send(group),
          here.clear(group),
          there.tryHistory(group),
          ann.trySend(group, { type: 'text', content: 'x' }),
          there.clear(group),
        ]);
        const { items, pagination } = await ben.history(group, '?mark_read=0&per_page=100');
        const unread = await ben.unreadOf(group);
        expect(items).toHaveLength(pagination.total);
        expect(pagination.total).toBeLessThanOrEqual(2);
        expect(unread).toBeLessThanOrEqual(pagination.total);
        const cleared = (await here.events('conversation.cleared')).at(-1);
        if (cleared?.up_to_message_id >= sent.id) expect(items.map(({ id }) => id)).not.toContain(sent.id);
        else expect(items.map(({ id }) => id)).toContain(sent.id);
      }
    }
  });

  it('write one notice for one concurrent action', async () => {
    const [ann, ben, cat] = (await newUsers(3)) as [ChatUser, ChatUser, ChatUser];
    const [here, there] = await onBoth(ann.id);
    for (let round = 0; round < ROUNDS; round += 1) {
      const group = await ann.createGroup([ben.id]);
      const rename = { name: `name ${round}` };
      const path = `/api/messages/conversations/${group}`;
      const responses = await Promise.all([
        here.tryAdd(group, [cat.id]),
        there.tryAdd(group, [cat.id]),
        here.api.put(path, rename),
        there.api.put(path, rename),
        here.tryRemove(group, ben.id),
        there.tryRemove(group, ben.id),
        here.trySend(group, { type: 'text', content: 'x' }),
      ]);
      expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      const events = (await ann.peek(group)).map(({ notice }) => notice?.event ?? 'sent');
      expect(events).toHaveLength(4);
      expect(new Set(events)).toEqual(new Set(['member_removed', 'members_added', 'renamed', 'sent']));
    }
  });
});
