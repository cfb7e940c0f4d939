import { DataSource } from 'typeorm';
import { newUserIds } from '../support/calls';
import { ChatUser, switchToLargeGroup, errorOf } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createTestApp, START, type TestApp } from '../support/test-app';

const NOT_FOUND = [404, '消息不存在'];

describe('Deleting a message for the user', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben, cat] = await ChatUser.annBenAndCat(test.api);
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2, 3]);
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  it('keeps its position without any content', async () => {
    const sent = await ann.send(group, 'hello', { extra: { color: 'red' } });
    await cat.react(sent.id, '👍');
    await ben.delete(sent.id);
    expect((await ben.peek(group))[0]).toEqual({
      ...sent,
      is_self: false,
      content: '',
      display_content: '消息已删除',
      extra: null,
      reactions: [],
      is_deleted: true,
    });
    for (const who of [ann, cat])
      expect((await who.peek(group))[0]).toMatchObject({
        content: 'hello',
        display_content: 'hello',
        extra: { color: 'red' },
        reactions: [{ emoji: '👍', count: 1 }],
        is_deleted: false,
      });
  });

  it('hides edits: earlier and later ones look the same', async () => {
    const [before, after] = [await ann.send(group, 'one'), await ann.send(group, 'two')];
    await ann.edit(before.id, 'One');
    for (const { id } of [before, after]) await ben.delete(id);
    await ann.edit(after.id, 'Two');
    const seen = (await ben.peek(group)).map(({ id, edited_at }) => [id, edited_at]);
    expect(seen).toEqual([
      [after.id, null],
      [before.id, null],
    ]);
    expect((await ben.events('message.edited')).map(({ message_id }) => message_id)).toEqual([before.id]);
    expect((await ann.peek(group))[0]).toMatchObject({ content: 'Two', edited_at: '2026-01-31 16:00:00' });
  });

  it('keeps pages and totals complete, at any position', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 12; index += 1) ids.push((await ann.send(group, `m${index}`)).id);
    for (const index of [0, 5, 6, 11]) await ben.delete(ids[index] as number);
    const pages = [1, 2, 3, 4].map((page) => ben.history(group, `?per_page=3&page=${page}&mark_read=0`));
    const items = (await Promise.all(pages)).flatMap((page) => page.items);
    expect(items.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(items.filter(({ is_deleted }) => is_deleted).map(({ id }) => id)).toEqual(
      [11, 6, 5, 0].map((index) => ids[index]),
    );
    expect((await ben.history(group)).pagination.total).toBe(12);
    // A page from such a position returns its neighbours.
    const beside = await ben.history(group, `?before_id=${ids[6]}&per_page=2`);
    expect(beside.items.map(({ id }) => id)).toEqual([ids[5], ids[4]]);
    expect(await ben.read(group, ids[11])).toBe(0);
  });

  it('is shown in the list when it was the newest message', async () => {
    const first = await ann.send(group, 'first');
    const last = await ann.send(group, 'last');
    await ben.delete(last.id);
    expect(await ben.conversation(group)).toMatchObject({
      last_message: '消息已删除',
      last_is_deleted: true,
      last_sender_name: 'Ann',
      message_type: 'text',
      last_sent_at: last.sent_at,
    });
    expect(await ann.conversation(group)).toMatchObject({ last_message: 'last', last_is_deleted: false });
    await ben.delete(first.id);
    expect(await ben.conversation(group)).toMatchObject({ last_message: '消息已删除' });
    await ann.send(group, 'later');
    expect(await ben.conversation(group)).toMatchObject({ last_message: 'later' });
  });

  it('keeps unread messages unread', async () => {
    for (const chat of await ben.listedIds()) await ben.read(chat);
    const { id } = await ann.send(group);
    await ann.send(group);
    await ben.delete(id);
    expect([await ben.unreadOf(group), await ben.unreadTotal()]).toEqual([2, 2]);
    await ann.recall(id);
    expect([await ben.unreadOf(group), await ben.unreadTotal()]).toEqual([1, 1]);
    await ben.read(group);
    expect(await ben.unreadTotal()).toBe(0);
  });

  it('is invisible to other users, and publishes one event to the user', async () => {
    const sent = await ann.send(group);
    const before = [await ann.events('message.deleted'), await ann.conversation(group)];
    await ben.delete(sent.id);
    await ben.delete(sent.id);
    const received = (await ben.events('message.deleted')).filter(({ message_id }) => message_id === sent.id);
    expect(received).toMatchObject([
      { conversation_id: group, message_id: sent.id, conversation: await ben.conversation(group) },
    ]);
    expect([await ann.events('message.deleted'), await ann.conversation(group)]).toEqual(before);
  });

  it('returns 404 for the message, except for deleting it again and recalling own ones', async () => {
    const theirs = await ann.send(group);
    const own = await ben.send(group);
    for (const { id } of [theirs, own]) await ben.delete(id);
    expect(errorOf(await ben.tryReact(theirs.id, '👍'))).toEqual(NOT_FOUND);
    expect(errorOf(await ben.tryReaders(own.id))).toEqual(NOT_FOUND);
    expect(errorOf(await ben.tryRecall(theirs.id))).toEqual(NOT_FOUND);
    await ben.delete(theirs.id);
    const recalled = await ben.recall(own.id);
    expect(recalled).toMatchObject({ is_recalled: true, is_deleted: true, display_content: '消息已删除' });
    expect((await ann.peek(group))[0]).toMatchObject({
      is_recalled: true,
      is_deleted: false,
      display_content: 'Ben撤回了一条消息',
    });
  });

  it.each([false, true])('hides a later recall (large group: %s)', async (large) => {
    if (large) await switchToLargeGroup(test, group);
    const { id } = await ann.send(group);
    await ben.delete(id);
    await ann.recall(id);
    const deleted = { is_recalled: true, is_deleted: true, display_content: '消息已删除' };
    expect((await ben.peek(group))[0]).toMatchObject(deleted);
    expect(await ben.conversation(group)).toMatchObject({ last_message: '消息已删除' });
    if (large) return;
    expect((await ben.events('message.recalled')).at(-1)).toMatchObject({ message: deleted });
    expect((await cat.events('message.recalled')).at(-1)).toMatchObject({
      message: { is_deleted: false, display_content: 'Ann撤回了一条消息' },
    });
  });

  it('requires a member who sees it', async () => {
    const { id } = await ann.send(group);
    const [dan] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    expect(errorOf(await dan.tryDelete(id))).toEqual(NOT_FOUND);
    await ann.add(group, dan.id);
    expect(errorOf(await dan.tryDelete(id))).toEqual(NOT_FOUND);
    expect(errorOf(await dan.tryDelete(987_654_321))).toEqual(NOT_FOUND);
    expect(errorOf(await dan.api.delete('/api/messages/0'))).toEqual([422, 'id 必须是整数']);
    await ben.leave(group);
    expect(errorOf(await ben.tryDelete(id))).toEqual(NOT_FOUND);
  });

  it('is undone by joining again', async () => {
    const { id } = await ann.send(group);
    await ben.delete(id);
    await ben.leave(group);
    await ann.add(group, 2);
    const later = await ann.send(group, 'later');
    expect(await ben.peek(group)).toMatchObject([{ id: later.id, is_deleted: false }]);
    await ben.delete(later.id);
    expect(await ben.peek(group)).toMatchObject([{ id: later.id, is_deleted: true }]);
  });

  it('uses a placeholder in the service’s language', async () => {
    const english = await createTestApp({
      database: test.database,
      env: { MESSAGE_LANGUAGE: 'en' },
      clock: test.clock,
    });
    const { id } = await ann.send(group);
    await ben.delete(id);
    const reader = await ChatUser.signIn(english.api, 2);
    expect((await reader.peek(group))[0]).toMatchObject({ display_content: 'Message deleted' });
    expect(await reader.conversation(group)).toMatchObject({ last_message: 'Message deleted' });
    await english.close();
  });
});
