import { DataSource } from 'typeorm';
import { Chatter, makeLarge, verdictOf } from '../support/messaging';
import { expectSoundMessaging } from '../support/messaging-invariants';
import { createTestApp, START, type TestApp } from '../support/test-app';

const NOT_FOUND = [404, '消息不存在'];
const NOT_ALLOWED = [403, '无权操作'];
const TOO_LATE = [409, '已超过编辑时限'];

describe('An edit', () => {
  let test: TestApp;
  let ann: Chatter;
  let ben: Chatter;
  let cat: Chatter;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben, cat] = await Chatter.annBenAndCat(test.api);
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2, 3]);
  });
  afterEach(() => expectSoundMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  it('changes the content for everybody, and nothing else', async () => {
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

  it('leaves the order of the list', async () => {
    const { id } = await ann.send(group, 'old');
    test.clock.advance(1);
    const other = await ann.createGroup([2]);
    await ann.edit(id, 'new');
    expect((await ben.listedIds()).slice(0, 2)).toEqual([other, group]);
  });

  it('wins when it is the last, and keeps no version', async () => {
    const { id } = await ann.send(group, 'first version');
    await ann.edit(id, 'second version');
    test.clock.advance(60);
    await ann.edit(id, 'third');
    expect(await ben.message(id)).toMatchObject({ content: 'third', edited_at: '2026-01-31 16:01:00' });
    const [row] = (await test.query(`SELECT * FROM messages WHERE id = ${id}`)) as [object];
    expect(Object.values(row)).not.toContain('first version');
  });

  it('is in time up to the last second, by whichever terminal', async () => {
    const { id } = await ann.send(group, 'x');
    test.clock.advance(900);
    expect(await ann.edit(id, 'y')).toMatchObject({ content: 'y' });
    test.clock.advance(0.001);
    expect(verdictOf(await ann.tryEdit(id, 'z'))).toEqual(TOO_LATE);
    expect(await ann.edit(id, 'y')).toMatchObject({ content: 'y', edited_at: '2026-01-31 16:15:00' });
  });

  it('with the same content changes nothing, at any time, and tells nobody', async () => {
    const sent = await ann.send(group, 'same');
    test.clock.advance(86_400 * 365);
    const cursor = async () => (await ben.api.get('/api/messages/conversations')).headers['x-event-cursor'];
    const before = await cursor();
    expect(await ann.edit(sent.id, 'same')).toEqual(sent);
    expect(await cursor()).toBe(before);
  });

  it('is the sender’s, of a text that is not forwarded', async () => {
    const { id } = await ann.send(group, 'x');
    const image = await ann.send(group, 'https://x.test/a.png', { type: 'image' });
    const forwarded = await ann.send(group, '', { type: undefined, content: undefined, forward_id: id });
    expect(verdictOf(await ben.tryEdit(id, 'y'))).toEqual(NOT_ALLOWED);
    expect(verdictOf(await ann.tryEdit(image.id, 'https://x.test/b.png'))).toEqual(NOT_ALLOWED);
    expect(verdictOf(await ann.tryEdit(forwarded.id, 'y'))).toEqual(NOT_ALLOWED);
    expect(verdictOf(await ann.tryEdit(forwarded.id, 'x'))).toEqual(NOT_ALLOWED);
  });

  it('is too late once the message is recalled', async () => {
    const { id } = await ann.send(group, 'x');
    await ann.edit(id, 'y');
    expect(await ann.recall(id)).toMatchObject({ content: '', edited_at: null });
    expect(verdictOf(await ann.tryEdit(id, 'x'))).toEqual(TOO_LATE);
    expect(verdictOf(await ann.tryEdit(id, 'z'))).toEqual(TOO_LATE);
  });

  it('returns 409 for a forwarded message that is recalled', async () => {
    const { id } = await ann.send(group, 'x');
    const forwarded = await ann.send(group, '', { type: undefined, content: undefined, forward_id: id });
    await ann.recall(forwarded.id);
    expect(verdictOf(await ann.tryEdit(forwarded.id, 'y'))).toEqual(TOO_LATE);
  });

  it('of what one does not see is of nothing', async () => {
    const { id } = await ann.send(group, 'x');
    const [eve] = (await Chatter.meetAll(test.api, [9])) as [Chatter];
    expect(verdictOf(await eve.tryEdit(id, 'y'))).toEqual(NOT_FOUND);
    expect(verdictOf(await eve.tryEdit(987_654_321, 'y'))).toEqual(NOT_FOUND);
    await ann.leave(group);
    expect(verdictOf(await ann.tryEdit(id, 'y'))).toEqual(NOT_FOUND);
    await ben.add(group, 1);
    expect(verdictOf(await ann.tryEdit(id, 'y'))).toEqual(NOT_FOUND);
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
  ])('is refused with %j', async (content, message) => {
    const { id } = await ann.send(group, 'x');
    expect(verdictOf(await ann.tryEdit(id, content))).toEqual([422, message]);
  });

  it('is not what a repeated client_msg_id is compared with', async () => {
    const { id } = await ann.send(group, 'first', { client_msg_id: 'edited' });
    const edited = await ann.edit(id, 'second');
    expect(await ann.send(group, 'first', { client_msg_id: 'edited' })).toEqual(edited);
    const body = { type: 'text', content: 'second', client_msg_id: 'edited' };
    expect(verdictOf(await ann.trySend(group, body))).toEqual([409, '请求标识已被使用']);
  });

  it('in a large group and a single chat is the same', async () => {
    await makeLarge(test, group);
    for (const chat of [group, await ann.openSingle(2)]) {
      const { id } = await ann.send(chat, 'x');
      await ann.edit(id, 'y');
      expect(await ben.conversation(chat)).toMatchObject({ last_message: 'y', unread_count: 1 });
    }
  });

  it('may be allowed for another time, or never', async () => {
    for (const [seconds, first, second] of [
      ['1', [0, '操作成功'], TOO_LATE],
      ['0', TOO_LATE, TOO_LATE],
    ] as const) {
      const other = await createTestApp({ env: { MESSAGE_EDIT_SECONDS: seconds }, database: test.database });
      const here = await Chatter.meet(other.api, 1);
      const { id } = await here.send(group, 'x');
      expect(verdictOf(await here.tryEdit(id, 'x'))).toEqual([0, '操作成功']);
      expect(verdictOf(await here.tryEdit(id, 'y'))).toEqual(first);
      other.clock.advance(2);
      expect(verdictOf(await here.tryEdit(id, 'z'))).toEqual(second);
      await other.close();
    }
  });

  it('leaves one message as each may see it by itself, unread', async () => {
    const sent = await ann.send(group, 'x');
    expect(await ben.message(sent.id)).toEqual({ ...sent, is_self: false });
    expect(await ben.unreadOf(group)).toBe(1);
    const [eve] = (await Chatter.meetAll(test.api, [9])) as [Chatter];
    expect(verdictOf(await eve.tryMessage(sent.id))).toEqual(NOT_FOUND);
    expect(verdictOf(await eve.tryMessage(987_654_321))).toEqual(NOT_FOUND);
    expect(verdictOf(await ann.api.get('/api/messages/x'))).toEqual([422, 'id 必须是整数']);
  });
});
