import { DataSource } from 'typeorm';
import { ChatUser, switchToLargeGroup, errorOf } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createTestApp, START, type TestApp } from '../support/test-app';

const NOT_FOUND = [404, '消息不存在'];
const NOT_ALLOWED = [403, '无权操作'];
const TOO_LATE = [409, '已超过编辑时限'];

describe('An edit', () => {
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

  it('changes the content for all members, and nothing else', async () => {
    const sent = await ann.send(group, 'befroe', { mentions: [2] });
    await ben.read(group);
    test.clock.advance(5);
    const edited = await ann.edit(sent.id, 'before 😀');
    const now = { content: 'before 😀', display_content: 'before 😀', edited_at: '2026-01-31 16:00:05' };
    const read = { is_read: true, read_at: '2026-01-31 16:00:00', read_count: 1, unread_count: 1 };
    expect(edited).toEqual({ ...sent, ...now, ...read });
    expect((await ben.peek(group))[0]).toEqual({ ...edited, is_self: false });
    expect(await cat.conversation(group)).toMatchObject({
      unread_count: 1,
      mention_id: null,
      last_message: 'before 😀',
      last_message_id: sent.id,
      last_sender_id: 1,
      last_message_at: '2026-01-31 16:00:00',
    });
    expect(await ben.unreadOf(group)).toBe(0);
  });

  it('keeps the order of the list', async () => {
    const { id } = await ann.send(group, 'old');
    test.clock.advance(1);
    const other = await ann.createGroup([2]);
    await ann.edit(id, 'new');
    expect((await ben.listedIds()).slice(0, 2)).toEqual([other, group]);
  });

  it('replaces earlier ones, without versions', async () => {
    const { id } = await ann.send(group, 'first version');
    await ann.edit(id, 'second version');
    test.clock.advance(60);
    await ann.edit(id, 'third');
    expect(await ben.message(id)).toMatchObject({ content: 'third', edited_at: '2026-01-31 16:01:00' });
    const [row] = (await test.query(`SELECT * FROM messages WHERE id = ${id}`)) as [object];
    expect(Object.values(row)).not.toContain('first version');
  });

  it('is accepted until the last second, from any terminal', async () => {
    const { id } = await ann.send(group, 'x');
    test.clock.advance(900);
    expect(await ann.edit(id, 'y')).toMatchObject({ content: 'y' });
    test.clock.advance(0.001);
    expect(errorOf(await ann.tryEdit(id, 'z'))).toEqual(TOO_LATE);
    expect(await ann.edit(id, 'y')).toMatchObject({ content: 'y', edited_at: '2026-01-31 16:15:00' });
  });

  it('with the same content changes and publishes nothing, at any time', async () => {
    const sent = await ann.send(group, 'same');
    test.clock.advance(86_400 * 365);
    const cursor = async () => (await ben.api.get('/api/messages/conversations')).headers['x-event-cursor'];
    const before = await cursor();
    expect(await ann.edit(sent.id, 'same')).toEqual(sent);
    expect(await cursor()).toBe(before);
  });

  it('is limited to the sender, and to texts that are not forwarded', async () => {
    const { id } = await ann.send(group, 'x');
    const image = await ann.send(group, 'https://x.test/a.png', { type: 'image' });
    const forwarded = await ann.send(group, '', { type: undefined, content: undefined, forward_id: id });
    expect(errorOf(await ben.tryEdit(id, 'y'))).toEqual(NOT_ALLOWED);
    expect(errorOf(await ann.tryEdit(image.id, 'https://x.test/b.png'))).toEqual(NOT_ALLOWED);
    expect(errorOf(await ann.tryEdit(forwarded.id, 'y'))).toEqual(NOT_ALLOWED);
    expect(errorOf(await ann.tryEdit(forwarded.id, 'x'))).toEqual(NOT_ALLOWED);
  });

  it('returns 409 once the message is recalled', async () => {
    const { id } = await ann.send(group, 'x');
    await ann.edit(id, 'y');
    expect(await ann.recall(id)).toMatchObject({ content: '', edited_at: null });
    expect(errorOf(await ann.tryEdit(id, 'x'))).toEqual(TOO_LATE);
    expect(errorOf(await ann.tryEdit(id, 'z'))).toEqual(TOO_LATE);
  });

  it('returns 409 for a forwarded message that is recalled', async () => {
    const { id } = await ann.send(group, 'x');
    const forwarded = await ann.send(group, '', { type: undefined, content: undefined, forward_id: id });
    await ann.recall(forwarded.id);
    expect(errorOf(await ann.tryEdit(forwarded.id, 'y'))).toEqual(TOO_LATE);
  });

  it('returns 404 for a message that the user does not see', async () => {
    const { id } = await ann.send(group, 'x');
    const [eve] = (await ChatUser.signInAll(test.api, [9])) as [ChatUser];
    expect(errorOf(await eve.tryEdit(id, 'y'))).toEqual(NOT_FOUND);
    expect(errorOf(await eve.tryEdit(987_654_321, 'y'))).toEqual(NOT_FOUND);
    await ann.leave(group);
    expect(errorOf(await ann.tryEdit(id, 'y'))).toEqual(NOT_FOUND);
    await ben.add(group, 1);
    expect(errorOf(await ann.tryEdit(id, 'y'))).toEqual(NOT_FOUND);
  });

  it.each([
    [undefined, 'content 字段不能为空'],
    [null, 'content 字段不能为空'],
    ['', 'content 字段不能为空'],
    [' \n', 'content 字段不能为空'],
    [7, 'content 必须是字符串'],
    [['x'], 'content 必须是字符串'],
    ['\ud800', 'content 取值无效'],
    ['a\0b', 'content 取值无效'],
    ['😀'.repeat(5001), 'content 长度不能超过 5000 个字符'],
  ])('is rejected with %j', async (content, message) => {
    const { id } = await ann.send(group, 'x');
    expect(errorOf(await ann.tryEdit(id, content))).toEqual([422, message]);
  });

  it('does not affect the comparison with a repeated client_msg_id', async () => {
    const { id } = await ann.send(group, 'first', { client_msg_id: 'edited' });
    const edited = await ann.edit(id, 'second');
    expect(await ann.send(group, 'first', { client_msg_id: 'edited' })).toEqual(edited);
    const body = { type: 'text', content: 'second', client_msg_id: 'edited' };
    expect(errorOf(await ann.trySend(group, body))).toEqual([409, '请求标识已被使用']);
  });

  it('works in a large group and a single chat', async () => {
    await switchToLargeGroup(test, group);
    for (const chat of [group, await ann.openSingle(2)]) {
      const { id } = await ann.send(chat, 'x');
      await ann.edit(id, 'y');
      expect(await ben.conversation(chat)).toMatchObject({ last_message: 'y', unread_count: 1 });
    }
  });

  it('has a configurable time limit, or can be disabled', async () => {
    for (const [seconds, first, second] of [
      ['1', [0, '操作成功'], TOO_LATE],
      ['0', TOO_LATE, TOO_LATE],
    ] as const) {
      const other = await createTestApp({ env: { MESSAGE_EDIT_SECONDS: seconds }, database: test.database });
      const here = await ChatUser.signIn(other.api, 1);
      const { id } = await here.send(group, 'x');
      expect(errorOf(await here.tryEdit(id, 'x'))).toEqual([0, '操作成功']);
      expect(errorOf(await here.tryEdit(id, 'y'))).toEqual(first);
      other.clock.advance(2);
      expect(errorOf(await here.tryEdit(id, 'z'))).toEqual(second);
      await other.close();
    }
  });

  it('keeps the message unread, in each member’s view', async () => {
    const sent = await ann.send(group, 'x');
    expect(await ben.message(sent.id)).toEqual({ ...sent, is_self: false });
    expect(await ben.unreadOf(group)).toBe(1);
    const [eve] = (await ChatUser.signInAll(test.api, [9])) as [ChatUser];
    expect(errorOf(await eve.tryMessage(sent.id))).toEqual(NOT_FOUND);
    expect(errorOf(await eve.tryMessage(987_654_321))).toEqual(NOT_FOUND);
    expect(errorOf(await ann.api.get('/api/messages/x'))).toEqual([422, 'id 必须是整数']);
  });
});
