import { DataSource } from 'typeorm';
import { newUserIds } from '../support/calls';
import { ChatUser, dataOf, switchToLargeGroup, errorOf } from '../support/messaging';
import type { Message } from '../support/messaging-types';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createTestApp, START, type TestApp } from '../support/test-app';

const NOT_FOUND = [404, '消息不存在'];
const INVALID = [422, 'emoji 取值无效'];

describe('Reactions', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp({ env: { CHAT_NOTICES: 'members' } });
    [ann, ben, cat] = await ChatUser.annBenAndCat(test.api);
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2, 3]);
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const shown = async (who: ChatUser, message: number) =>
    (await who.peek(group)).find(({ id }) => id === message)?.reactions;

  it('are sorted by first use, in each member’s view', async () => {
    const { id, reactions } = await ann.send(group);
    expect(reactions).toEqual([]);
    expect(dataOf(await ben.tryReact(id, '👍'))).toEqual({
      reactions: [{ emoji: '👍', count: 1, reacted: true }],
    });
    await cat.react(id, '🎉');
    expect(await cat.react(id, '👍')).toEqual([
      { emoji: '👍', count: 2, reacted: true },
      { emoji: '🎉', count: 1, reacted: true },
    ]);
    expect(await shown(ann, id)).toEqual([
      { emoji: '👍', count: 2, reacted: false },
      { emoji: '🎉', count: 1, reacted: false },
    ]);
    expect(await shown(ben, id)).toEqual([
      { emoji: '👍', count: 2, reacted: true },
      { emoji: '🎉', count: 1, reacted: false },
    ]);
  });

  it('are added only to messages of a page that have any', async () => {
    const ids = [];
    for (let index = 0; index < 5; index += 1) ids.push((await ann.send(group)).id);
    await ben.react(ids[1] as number, '👍');
    await ben.react(ids[3] as number, '🎉');
    expect((await ben.peek(group)).map(({ reactions }) => reactions.map(({ emoji }) => emoji))).toEqual([
      [],
      ['🎉'],
      [],
      ['👍'],
      [],
    ]);
  });

  it('are removed one by one, and added again at the end', async () => {
    const { id } = await ann.send(group);
    await ben.react(id, '👍');
    await ben.react(id, '🎉');
    expect(await ben.react(id, '👍', false)).toEqual([{ emoji: '🎉', count: 1, reacted: true }]);
    expect((await ben.react(id, '👍')).map(({ emoji }) => emoji)).toEqual(['🎉', '👍']);
    await ben.react(id, '👍', false);
    expect(await ben.react(id, '🎉', false)).toEqual([]);
    expect(await shown(ann, id)).toEqual([]);
    expect(await ben.react(id, '🎉', false)).toEqual([]);
  });

  it('are compared without U+FE0F and shown as first used', async () => {
    const { id } = await ann.send(group);
    await ben.react(id, '❤');
    expect(await cat.react(id, '❤️')).toEqual([{ emoji: '❤', count: 2, reacted: true }]);
    expect(await ben.react(id, '❤️')).toEqual([{ emoji: '❤', count: 2, reacted: true }]);
    expect(await ben.react(id, '❤️', false)).toEqual([{ emoji: '❤', count: 1, reacted: false }]);
    await cat.react(id, '❤', false);
    expect(await cat.react(id, '❤️')).toEqual([{ emoji: '❤️', count: 1, reacted: true }]);
  });

  it.each([
    [undefined, [422, 'emoji 字段不能为空']],
    [null, [422, 'emoji 字段不能为空']],
    ['', [422, 'emoji 字段不能为空']],
    ['  ', [422, 'emoji 字段不能为空']],
    [7, [422, 'emoji 必须是字符串']],
    [['👍'], [422, 'emoji 必须是字符串']],
    ['a', INVALID],
  ])('reject %j', async (emoji, verdict) => {
    const { id } = await ann.send(group);
    expect(errorOf(await ben.tryReact(id, emoji))).toEqual(verdict);
  });

  it('reject a value that is not a boolean', async () => {
    const { id } = await ann.send(group);
    expect(errorOf(await ben.tryReact(id, '👍', 'yes'))).toEqual([422, 'reacted 取值无效']);
    expect((await ben.tryReact(id, '👍', null)).body.data.reactions).toHaveLength(1);
  });

  it('have at most 20 kinds per message', async () => {
    const { id } = await ann.send(group);
    for (let index = 0; index < 20; index += 1) await ben.react(id, String.fromCodePoint(0x1f600 + index));
    expect(errorOf(await cat.tryReact(id, '👍'))).toEqual([422, 'emoji 数量不能超过 20']);
    expect(await cat.react(id, '👍', false)).toHaveLength(20);
    expect(await cat.react(id, '\u{1F600}')).toHaveLength(20);
    await ben.react(id, '\u{1F601}', false);
    expect(await cat.react(id, '👍')).toHaveLength(20);
  });

  it('require a member who sees the message', async () => {
    const { id } = await ann.send(group);
    const [dan] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    expect(errorOf(await dan.tryReact(id, '👍'))).toEqual(NOT_FOUND);
    expect(errorOf(await dan.tryReactors(id))).toEqual(NOT_FOUND);
    await ann.add(group, dan.id);
    expect(errorOf(await dan.tryReact(id, '👍'))).toEqual(NOT_FOUND);
    expect(errorOf(await dan.tryReact(987_654_321, '👍'))).toEqual(NOT_FOUND);
    expect(errorOf(await ann.api.put('/api/messages/x/reactions', {}))).toEqual([422, 'id 必须是整数']);
    await ben.delete(id);
    expect(errorOf(await ben.tryReact(id, '👍'))).toEqual(NOT_FOUND);
    expect(errorOf(await ben.tryReactors(id))).toEqual(NOT_FOUND);
    await cat.clear(group);
    expect(errorOf(await cat.tryReact(id, '👍'))).toEqual(NOT_FOUND);
  });

  it('are rejected for a notice', async () => {
    await ann.api.put(`/api/messages/conversations/${group}`, { name: `Trip ${group}` });
    const [{ id }] = (await ben.peek(group)) as [Message];
    expect(errorOf(await ben.tryReact(id, '👍'))).toEqual([403, '无权操作']);
    expect(errorOf(await ben.tryReactors(id))).toEqual([403, '无权操作']);
  });

  it('are deleted by a recall, and rejected for a recalled message', async () => {
    const { id } = await ann.send(group);
    await ben.react(id, '👍');
    await cat.react(id, '🎉');
    expect((await ann.recall(id)).reactions).toEqual([]);
    expect(await shown(ben, id)).toEqual([]);
    expect(errorOf(await ben.tryReact(id, '👍'))).toEqual(NOT_FOUND);
    expect(errorOf(await ben.tryReact(id, '👍', false))).toEqual(NOT_FOUND);
    expect(dataOf(await ben.tryReactors(id)).items).toEqual([]);
  });

  it('remain when their user leaves', async () => {
    const { id } = await ann.send(group);
    await ben.react(id, '👍');
    await ben.leave(group);
    expect(await shown(ann, id)).toEqual([{ emoji: '👍', count: 1, reacted: false }]);
    expect(dataOf(await ann.tryReactors(id)).items).toMatchObject([{ user_id: 2, name: 'Ben' }]);
  });

  it('change neither unread counts nor the order', async () => {
    const { id } = await ann.send(group);
    await ben.read(group);
    const before = await ann.conversation(group);
    await ben.react(id, '👍');
    expect(await ann.conversation(group)).toEqual(before);
    expect(await ann.unreadTotal()).toBe(0);
  });

  it('list their users, earliest first', async () => {
    const { id } = await ann.send(group);
    await cat.react(id, '🎉');
    test.clock.advance(5);
    await ben.react(id, '👍');
    await ann.react(id, '👍');
    expect(dataOf(await ann.tryReactors(id))).toEqual({
      items: [
        { user_id: 3, name: 'Cat', avatar: null, emoji: '🎉', created_at: '2026-01-31 16:00:00' },
        { user_id: 1, name: 'Ann', avatar: null, emoji: '👍', created_at: '2026-01-31 16:00:05' },
        { user_id: 2, name: 'Ben', avatar: null, emoji: '👍', created_at: '2026-01-31 16:00:05' },
      ],
      pagination: { total: 3, per_page: 50, current_page: 1, last_page: 1, has_more: false },
    });
    const thumbs = `?emoji=${encodeURIComponent('👍')}`;
    const second = await ann.tryReactors(id, `${thumbs}&per_page=1&page=2`);
    expect(dataOf(second)).toMatchObject({ items: [{ user_id: 2 }], pagination: { total: 2, last_page: 2 } });
    expect(second.headers['x-total-count']).toBe('2');
    expect(dataOf(await ann.tryReactors(id, `?emoji=${encodeURIComponent('😀')}`))).toMatchObject({
      items: [],
      pagination: { total: 0, last_page: 1 },
    });
    expect(errorOf(await ann.tryReactors(id, '?emoji=a'))).toEqual(INVALID);
    expect(errorOf(await ann.tryReactors(id, '?per_page=101'))).toEqual([422, 'per_page 不能大于 100']);
    expect(dataOf(await ann.tryReactors(id, '?emoji=')).items).toHaveLength(3);
  });

  it('are published with one payload to all who see the message, and not when repeated', async () => {
    const [dan] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    const ids = newUserIds(40);
    await ChatUser.signInAll(test.api, ids);
    await ann.add(group, ...ids);
    const { id } = await ann.send(group);
    await ann.add(group, dan.id);
    await cat.delete(id);
    await ben.react(id, '👍');
    await ben.react(id, '👍');
    await ben.react(id, '🎉', false);
    await ben.react(id, '👍', false);
    const about = { conversation_id: group, message_id: id, user_id: 2, emoji: '👍' };
    for (const who of [ann, ben])
      expect((await who.events('message.reacted')).slice(-2)).toMatchObject([
        { ...about, reacted: true, count: 1 },
        { ...about, reacted: false, count: 0 },
      ]);
    expect(await dan.events('message.reacted')).toEqual([]);
    expect((await cat.events('message.reacted')).filter(({ message_id }) => message_id === id)).toEqual([]);
    const rows = await test.query(
      `SELECT DISTINCT payload_id, payload FROM events WHERE type = 'message.reacted' AND user_id IN (${ids.join()})`,
    );
    // Two events, each with one row of shared text and a very small row per user.
    expect(rows).toEqual([
      { payload_id: expect.any(Number), payload: '}' },
      { payload_id: expect.any(Number), payload: '}' },
    ]);
  });

  it('work in large groups and single chats', async () => {
    await switchToLargeGroup(test, group);
    const single = await ann.openSingle(2);
    for (const chat of [group, single]) {
      const { id } = await ann.send(chat);
      expect(await ben.react(id, '👍')).toEqual([{ emoji: '👍', count: 1, reacted: true }]);
      expect((await ann.peek(chat))[0]?.reactions).toEqual([{ emoji: '👍', count: 1, reacted: false }]);
    }
  });

  it('are counted in a metric', async () => {
    const { id } = await ann.send(group);
    const count = async (act: string): Promise<number> => {
      const { text } = await test.api.get('/metrics');
      const found = new RegExp(String.raw`callboard_message_reactions_total\{act="${act}"\} (\d+)`).exec(
        text,
      );
      return Number(found?.[1] ?? 0);
    };
    const before = [await count('added'), await count('taken_back')];
    await ben.react(id, '👍');
    await ben.react(id, '👍');
    await ben.react(id, '👍', false);
    expect([await count('added'), await count('taken_back')]).toEqual(before.map((one) => one + 1));
  });
});
