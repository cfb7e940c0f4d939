import { DataSource } from 'typeorm';
import { newUserIds } from '../support/calls';
import { ChatUser, switchToLargeGroup, errorOf } from '../support/messaging';
import type { Message } from '../support/messaging-types';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { stopJobs } from '../support/jobs';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { insertUsers } from '../support/user-row';

const NOT_ALLOWED = [403, '无权操作'];

describe('Member notices', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp({ env: { CHAT_NOTICES: 'calls, members' } });
    await stopJobs(test);
    [ann, ben, cat] = await ChatUser.annBenAndCat(test.api);
    await ChatUser.signIn(test.api, 4, 'Dan');
    await ChatUser.signIn(test.api, 5, 'Eve');
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2]);
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const rename = (who: ChatUser, body: object) => who.api.put(`/api/messages/conversations/${group}`, body);
  const noticesOf = async (who: ChatUser): Promise<Message[]> =>
    (await who.peek(group)).filter(({ kind }) => kind === 'notice').toReversed();
  const wordsOf = async (who: ChatUser): Promise<string[]> =>
    (await noticesOf(who)).map(({ content }) => content);

  it('are messages from the acting member that are not counted as unread', async () => {
    await rename(ann, { name: '周末徒步' });
    const expected = {
      id: expect.any(Number),
      conversation_id: group,
      sender_id: 1,
      sender_name: 'Ann',
      sender_avatar: null,
      type: 'text',
      content: 'Ann将群名修改为“周末徒步”',
      display_content: 'Ann将群名修改为“周末徒步”',
      extra: null,
      is_recalled: false,
      is_read: true,
      read_at: null,
      read_count: 0,
      unread_count: 0,
      time: '16:00',
      created_at: '2026-01-31 16:00:00',
      sent_at: START,
      kind: 'notice',
      notice: { event: 'renamed', name: '周末徒步' },
      reactions: [],
      is_deleted: false,
    };
    // Reading changes nothing.
    for (const round of [1, 2]) {
      expect(await noticesOf(ann)).toEqual([expect.objectContaining({ ...expected, is_self: true })]);
      expect(await noticesOf(ben)).toEqual([expect.objectContaining({ ...expected, is_self: false })]);
      expect([await ben.unreadOf(group), await ben.read(group), round]).toEqual([0, 0, round]);
    }
    expect(await ben.conversation(group)).toMatchObject({
      last_message: 'Ann将群名修改为“周末徒步”',
      last_notice: { event: 'renamed', name: '周末徒步' },
      last_sender_name: 'Ann',
      message_type: 'text',
    });
  });

  it('name the members who joined, left and were removed', async () => {
    await ann.add(group, 3);
    await ann.add(group, 4, 5, 3);
    await ann.remove(group, 4);
    await cat.leave(group);
    await ann.leave(group);
    expect(
      (await noticesOf(ben)).map(({ content, notice, sender_id }) => [content, notice, sender_id]),
    ).toEqual([
      ['Ann邀请Cat加入了群聊', { event: 'members_added', user_ids: [3] }, 1],
      ['Ann邀请Dan、Eve加入了群聊', { event: 'members_added', user_ids: [4, 5] }, 1],
      ['Ann将Dan移出了群聊', { event: 'member_removed', user_ids: [4] }, 1],
      ['Cat退出了群聊', { event: 'member_left', user_ids: [3] }, 3],
      ['Ann退出了群聊', { event: 'member_left', user_ids: [1] }, 1],
    ]);
  });

  it('name three of many members', async () => {
    const [one = 0, two = 0] = newUserIds(2);
    await ChatUser.signInAll(test.api, [one, two]);
    await ann.add(group, 3, 4, 5);
    expect(await wordsOf(ben)).toEqual(['Ann邀请Cat、Dan、Eve加入了群聊']);
    const other = await ann.createGroup([2]);
    await ann.add(other, 3, 4, 5, one, two);
    expect((await ben.peek(other))[0]).toMatchObject({
      content: 'Ann邀请Cat、Dan、Eve等5人加入了群聊',
      notice: { event: 'members_added', user_ids: [3, 4, 5, one, two] },
    });
  });

  it('are visible to added members, and not to former ones', async () => {
    await ann.add(group, 3);
    expect(await wordsOf(cat)).toEqual(['Ann邀请Cat加入了群聊']);
    expect((await cat.events('message.created')).at(-1)).toMatchObject({
      message: { kind: 'notice', is_self: false },
      unread_count: 0,
    });
    const before = await cat.events('message.created');
    await cat.leave(group);
    expect(await cat.events('message.created')).toEqual(before);
  });

  it('are two for a new name and a new picture, and none without a change', async () => {
    const avatar = 'https://example.com/a.png';
    await rename(ann, { name: 'Trip', avatar });
    await rename(ann, { name: 'Trip', avatar });
    await rename(ann, {});
    await rename(ann, { avatar: null });
    expect(await wordsOf(ben)).toEqual(['Ann将群名修改为“Trip”', 'Ann修改了群头像', 'Ann修改了群头像']);
    expect((await noticesOf(ben)).map(({ notice }) => notice)).toEqual([
      { event: 'renamed', name: 'Trip' },
      { event: 'avatar_changed' },
      { event: 'avatar_changed' },
    ]);
  });

  it('are not written for creation, transfer and deletion, or without members', async () => {
    await ann.add(group, 3);
    await ann.transfer(group, 2);
    expect(await wordsOf(cat)).toHaveLength(1);
    await ben.dissolve(group);
    const alone = await ann.createGroup();
    await ann.leave(alone);
    expect(await test.query(`SELECT seq FROM messages WHERE conversation_id = ${alone}`)).toEqual([]);
  });

  it('for joining and leaving are written up to 200 members, counted afterwards', async () => {
    const ids = newUserIds(200);
    await insertUsers(test.app.get(DataSource), ids);
    await ann.add(group, ...ids.slice(0, 198));
    expect(await wordsOf(ben)).toHaveLength(1);
    await ann.add(group, ids[198] as number);
    expect(await wordsOf(ben)).toHaveLength(1);
    await rename(ann, { name: 'Crowd' });
    expect(await wordsOf(ben)).toHaveLength(2);
    await ann.remove(group, ids[0] as number);
    expect((await wordsOf(ben)).at(-1)).toBe(`Ann将User ${ids[0]}移出了群聊`);
    expect(await ben.unreadOf(group)).toBe(0);
  });

  it.each([false, true])('unhide a hidden conversation (large: %s)', async (large) => {
    if (large) await switchToLargeGroup(test, group);
    await ben.settings(group, { hidden: true });
    expect(await ben.listedIds()).not.toContain(group);
    test.clock.advance(5);
    await rename(ann, { name: 'Trip' });
    expect((await ben.listedIds())[0]).toBe(group);
    expect(await ben.conversation(group)).toMatchObject({
      hidden: false,
      last_message_at: '2026-01-31 16:00:05',
    });
  });

  it('can only be deleted for the user', async () => {
    await rename(ann, { name: 'Trip' });
    const [notice] = (await noticesOf(ben)) as [Message];
    for (const who of [ann, ben]) {
      expect(errorOf(await who.tryRecall(notice.id))).toEqual(NOT_ALLOWED);
      expect(errorOf(await who.tryReact(notice.id, '👍'))).toEqual(NOT_ALLOWED);
      expect(errorOf(await who.tryReactors(notice.id))).toEqual(NOT_ALLOWED);
      expect(errorOf(await who.tryReaders(notice.id))).toEqual(NOT_ALLOWED);
    }
    await ben.delete(notice.id);
    expect((await ben.peek(group))[0]).toMatchObject({ is_deleted: true, content: '', is_read: true });
    expect(errorOf(await ben.tryReact(notice.id, '👍'))).toEqual([404, '消息不存在']);
    expect(await wordsOf(ann)).toEqual(['Ann将群名修改为“Trip”']);
  });

  it('are published like messages, with an unchanged unread count', async () => {
    await ann.send(group);
    await rename(ann, { name: 'Trip' });
    const [notice] = await noticesOf(ben);
    expect((await ben.events('message.created')).at(-1)).toMatchObject({ message: notice, unread_count: 1 });
    const [own] = await noticesOf(ann);
    expect((await ann.events('message.created')).at(-1)).toMatchObject({ message: own, unread_count: 0 });
  });
});

describe('Without CHAT_NOTICES', () => {
  let test: TestApp;
  afterAll(() => test?.close());

  it('no notices are written', async () => {
    test = await createTestApp();
    const [ann, ben] = await ChatUser.annBenAndCat(test.api);
    const [group, single] = [await ann.createGroup([2]), await ann.openSingle(2)];
    await ann.api.put(`/api/messages/conversations/${group}`, { name: 'Trip' });
    await ann.add(group, 3);
    await ann.remove(group, 3);
    const call = await ann.api.post('/api/calls', { callee_id: 2 });
    await ann.api.post(`/api/calls/${call.body.data.call_id}/cancel`);
    expect([await ben.peek(group), await ben.peek(single)]).toEqual([[], []]);
    expect(await ben.events('message.created')).toEqual([]);
  });

  it('the texts are in the service’s language', async () => {
    const english = await createTestApp({
      database: test.database,
      env: { MESSAGE_LANGUAGE: 'en', CHAT_NOTICES: 'members' },
    });
    const [ann, ben] = await ChatUser.annBenAndCat(english.api);
    const group = await ann.createGroup([2]);
    await ann.add(group, 3);
    expect((await ben.peek(group))[0]).toMatchObject({ content: 'Ann added Cat' });
    await english.close();
  });
});
