import { DataSource } from 'typeorm';
import { newUserIds } from '../support/calls';
import { ChatUser, switchToLargeGroup, errorOf } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { statementsOf } from '../support/statements';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

describe('Mentions', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben, cat] = await ChatUser.annBenAndCat(test.api);
    await ChatUser.signIn(test.api, 4);
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2, 3]);
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const mention = async (who: ChatUser, ...mentions: number[]): Promise<number> =>
    (await who.send(group, 'you', { mentions })).id;
  const mentionAll = async (who: ChatUser): Promise<number> =>
    (await who.send(group, 'all', { mention_all: true })).id;
  const tryMention = (who: ChatUser, body: object, conversation = group) =>
    who.trySend(conversation, { type: 'text', content: 'x', ...body });

  it('include members except the sender, in the given order, and ignore others', async () => {
    const sent = await ann.send(group, 'you', { mentions: [3, 4, 987_654, 1, 2, 3] });
    expect(sent).toMatchObject({ mentions: [3, 2], mention_all: false });
    expect((await ben.peek(group))[0]).toMatchObject({ mentions: [3, 2], mention_all: false });
    expect(await ann.send(group, 'nobody', { mentions: [4, 1] })).toMatchObject({ mentions: [] });
    expect(await ann.send(group, 'plain')).toMatchObject({ mentions: [], mention_all: false });
  });

  it('are empty in a single chat', async () => {
    const single = await ann.openSingle(2);
    const sent = await ann.send(single, 'you', { mentions: [2], mention_all: true });
    expect(sent).toMatchObject({ mentions: [], mention_all: false });
    expect(await ben.mentionOf(single)).toBeNull();
  });

  it('are shown in the conversation as the newest unread one', async () => {
    expect(await ben.mentionOf(group)).toBeNull();
    const first = await mention(ann, 2);
    await ann.send(group, 'between');
    const second = await mentionAll(ann);
    const third = await mention(ann, 3);
    expect([await ann.mentionOf(group), await ben.mentionOf(group), await cat.mentionOf(group)]).toEqual([
      null,
      second,
      third,
    ]);
    expect((await ben.list()).items.find(({ id }) => id === group)?.mention_id).toBe(second);
    await ben.read(group, first);
    expect(await ben.mentionOf(group)).toBe(second);
    await ben.read(group, second);
    expect(await ben.mentionOf(group)).toBeNull();
    await cat.history(group);
    expect(await cat.mentionOf(group)).toBeNull();
  });

  it('of all and by name are compared by recency', async () => {
    const all = await mentionAll(ann);
    const named = await mention(ann, 2);
    expect([await ben.mentionOf(group), await cat.mentionOf(group)]).toEqual([named, all]);
    const both = (await ann.send(group, 'x', { mentions: [2], mention_all: true })).id;
    expect([await ben.mentionOf(group), await cat.mentionOf(group)]).toEqual([both, both]);
    await ann.recall(both);
    expect([await ben.mentionOf(group), await cat.mentionOf(group)]).toEqual([named, all]);
    await ann.recall(named);
    expect([await ben.mentionOf(group), await cat.mentionOf(group)]).toEqual([all, all]);
    await ann.recall(all);
    expect([await ben.mentionOf(group), await cat.mentionOf(group)]).toEqual([null, null]);
  });

  it('are read by sending', async () => {
    await mention(ann, 2);
    await ben.send(group, 'yes?');
    expect(await ben.mentionOf(group)).toBeNull();
  });

  it('are removed by a recall, and the newest remaining one is shown', async () => {
    const [first, second, third] = [await mention(ann, 2), await mention(ann, 2, 3), await mention(ann, 2)];
    expect(await ann.recall(second)).toMatchObject({ mentions: [], mention_all: false });
    expect([await ben.mentionOf(group), await cat.mentionOf(group)]).toEqual([third, null]);
    await ann.recall(third);
    expect(await ben.mentionOf(group)).toBe(first);
    await ann.recall(first);
    expect(await ben.mentionOf(group)).toBeNull();
  });

  it('are unchanged by an edit', async () => {
    const id = await mention(ann, 2);
    expect(await ann.edit(id, 'nobody')).toMatchObject({ mentions: [2] });
    expect(await ben.mentionOf(group)).toBe(id);
  });

  it('of returned members are those since their return', async () => {
    await mention(ann, 2);
    await mentionAll(ann);
    await ben.leave(group);
    await mentionAll(ann);
    await ann.add(group, 2);
    expect(await ben.mentionOf(group)).toBeNull();
    const since = await mention(ann, 2);
    expect(await ben.mentionOf(group)).toBe(since);
    await ann.recall(since);
    expect(await ben.mentionOf(group)).toBeNull();
  });

  it('of all are allowed to anyone among 200 members, and above to the owner', async () => {
    const ids = newUserIds(199);
    await insertUsers(test.app.get(DataSource), ids);
    const crowd = await ann.createGroup(ids);
    const [member] = (await ChatUser.signInAll(test.api, ids.slice(0, 1))) as [ChatUser];
    const all = { mention_all: true };
    expect((await member.send(crowd, 'x', all)).mention_all).toBe(true);
    await ann.add(crowd, 2);
    expect(errorOf(await tryMention(member, all, crowd))).toEqual([403, '无权操作']);
    const { id } = await ann.send(crowd, 'x', { ...all, mentions: [2, 3] });
    expect([await ben.mentionOf(crowd), await member.mentionOf(crowd)]).toEqual([id, id]);
    expect((await ann.message(id)).mentions).toEqual([2]);
    await ben.leave(crowd);
    expect((await member.send(crowd, 'x', all)).mention_all).toBe(true);
  });

  it('of a large group are equal, and stored for named members only', async () => {
    await switchToLargeGroup(test, group);
    const named = await ann.send(group, 'x', { mentions: [3, 4, 2] });
    expect(named.mentions).toEqual([3, 2]);
    expect([await ben.mentionOf(group), await cat.mentionOf(group)]).toEqual([named.id, named.id]);
    const all = await mentionAll(ben);
    expect([await ann.mentionOf(group), await ben.mentionOf(group)]).toEqual([all, null]);
    await ben.recall(all);
    expect([await ann.mentionOf(group), await cat.mentionOf(group)]).toEqual([null, named.id]);
  });

  it.each([
    [{ mentions: 7 }, 'mentions 必须是数组'],
    [{ mentions: {} }, 'mentions 必须是数组'],
    [{ mentions: ['2'] }, 'mentions 取值无效'],
    [{ mentions: [2, null] }, 'mentions 取值无效'],
    [{ mentions: [0] }, 'mentions 取值无效'],
    [{ mentions: [[2]] }, 'mentions 取值无效'],
    [{ mentions: Array.from({ length: 51 }, (_, index) => index + 1) }, 'mentions 数量不能超过 50'],
    [{ mention_all: 1 }, 'mention_all 取值无效'],
    [{ mention_all: 'true' }, 'mention_all 取值无效'],
  ])('are rejected with %j', async (body, message) => {
    expect(errorOf(await tryMention(ann, body))).toEqual([422, message]);
  });

  it.each([
    [{ mentions: null, mention_all: null }, []],
    [{ mentions: [] }, []],
    [{ mentions: Array.from({ length: 200 }, (_, index) => (index % 50) + 1) }, [2, 3]],
  ])('are accepted with %j', async (body, mentions) => {
    expect((await ann.send(group, 'x', body)).mentions).toEqual(mentions);
  });

  it('add two statements to a send and to a recall', async () => {
    const cost = (work: () => Promise<unknown>) => statementsOf(test, work).then(({ length }) => length);
    await ann.send(group, 'first');
    const plain = await cost(() => ann.send(group, 'plain'));
    expect(await cost(() => mention(ann, 2, 3))).toBe(plain + 2);
    expect(await cost(() => mentionAll(ann))).toBe(plain + 2);
    const [none, some] = [await ann.send(group, 'none'), await mention(ann, 2)];
    const recall = await cost(() => ann.recall(none.id));
    expect(await cost(() => ann.recall(some))).toBe(recall + 2);
  });
});
