import { DataSource } from 'typeorm';
import { ChatUser, dataOf, errorOf } from '../support/messaging';
import type { Message } from '../support/messaging-types';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createTestApp, START, type TestApp } from '../support/test-app';

const NOT_FOUND = [404, '消息不存在'];
const USED = [409, '请求标识已被使用'];

describe('A forwarded message', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  let source: number;
  let target: number;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben, cat] = await ChatUser.annBenAndCat(test.api);
  });
  beforeEach(async () => {
    test.clock.set(START);
    [source, target] = [await ann.createGroup([2]), await ben.createGroup([3])];
  });
  afterEach(() => expectConsistentMessaging(test.app.get(DataSource)));
  afterAll(() => test?.close());

  const tryForward = (who: ChatUser, forward_id: unknown, more: object = {}) =>
    who.trySend(target, { forward_id, ...more });
  const forward = async (who: ChatUser, id: number, more: object = {}): Promise<Message> =>
    dataOf(await tryForward(who, id, more));

  it('has the original’s content and a mark, without its source', async () => {
    const extra = { name: 'a.pdf', size: 7 };
    const file = await ann.send(source, 'https://x.test/a', { type: 'file', extra });
    const before = await ann.peek(source);
    test.clock.advance(60);
    const sent = await forward(ben, file.id);
    expect(sent).toMatchObject({
      conversation_id: target,
      sender_id: 2,
      is_self: true,
      type: 'file',
      content: 'https://x.test/a',
      display_content: '[文件] a.pdf',
      extra,
      is_forwarded: true,
      edited_at: null,
      time: '16:01',
      read_count: 0,
      unread_count: 1,
    });
    expect((await cat.peek(target))[0]).toEqual({ ...sent, is_self: false });
    expect(await ann.peek(source)).toEqual(before);
    expect(before[0]?.is_forwarded).toBe(false);
  });

  it('has the content at the time, and keeps it after an edit or recall of the source', async () => {
    const { id } = await ann.send(source, 'first', { mentions: [2], mention_all: true });
    await ann.edit(id, 'second');
    const sent = await forward(ben, id);
    expect(sent).toMatchObject({ content: 'second', edited_at: null, mentions: [], mention_all: false });
    await ann.edit(id, 'third');
    await ann.recall(id);
    expect(await cat.message(sent.id)).toMatchObject({ content: 'second', is_forwarded: true });
    expect(await ben.recall(sent.id)).toMatchObject({ content: '', is_forwarded: false });
  });

  it('can be forwarded again to the same conversation, with a reply and mentions', async () => {
    const { id } = await ann.send(source, 'x');
    const first = await forward(ben, id);
    const answered = await cat.send(target, 'what?');
    const second = await forward(ben, first.id, { reply_to_id: answered.id, mentions: [3, 1] });
    expect(second).toMatchObject({ content: 'x', is_forwarded: true, mentions: [3] });
    expect(second.reply_to?.id).toBe(answered.id);
    expect(await cat.mentionOf(target)).toBe(second.id);
  });

  it('requires an original that its sender sees and that is not recalled', async () => {
    const { id } = await ann.send(source, 'x');
    expect(errorOf(await tryForward(cat, id))).toEqual(NOT_FOUND);
    expect(errorOf(await tryForward(ben, 987_654_321))).toEqual(NOT_FOUND);
    await ben.leave(source);
    expect(errorOf(await tryForward(ben, id))).toEqual(NOT_FOUND);
    await ann.add(source, 2);
    expect(errorOf(await tryForward(ben, id))).toEqual(NOT_FOUND);
    const seen = await ann.send(source, 'y');
    expect(errorOf(await tryForward(ben, seen.id))[0]).toBe(0);
    await ann.recall(seen.id);
    expect(errorOf(await tryForward(ben, seen.id))).toEqual(NOT_FOUND);
    expect(errorOf(await tryForward(ann, seen.id))).toEqual([403, '无权访问此会话']);
  });

  it('requires no type and content, and ignores them', async () => {
    const { id } = await ann.send(source, 'x');
    for (const more of [
      { type: 'sticker' },
      { type: 7, content: null },
      { content: '' },
      { extra: { a: 1 } },
    ])
      expect(await forward(ben, id, more)).toMatchObject({ type: 'text', content: 'x', extra: null });
  });

  it.each([
    [{ forward_id: 1, content: 'x' }, 'forward_id 取值无效'],
    [{ forward_id: 1, type: 'text', content: 7 }, 'forward_id 取值无效'],
    [{ forward_id: 'x' }, 'forward_id 必须是整数'],
    [{ forward_id: 0 }, 'forward_id 不能小于 1'],
    [{ forward_id: [1] }, 'forward_id 必须是整数'],
    [{ forward_id: 2 ** 53 }, 'forward_id 不能大于 9007199254740991'],
    [{ forward_id: null }, 'type 字段不能为空'],
    [{ forward_id: '' }, 'type 字段不能为空'],
    [{ forward_id: null, type: 'text' }, 'content 字段不能为空'],
    [{ forward_id: 1, extra: 7 }, 'extra 必须是对象'],
  ])('is rejected with %j', async (body, message) => {
    expect(errorOf(await ben.trySend(target, body))).toEqual([422, message]);
  });

  describe('with a client_msg_id', () => {
    it('is sent once, and returned without reading the original', async () => {
      const { id } = await ann.send(source, 'x');
      const sent = await forward(ben, id, { client_msg_id: 'f1' });
      expect(sent.client_msg_id).toBe('f1');
      await ann.recall(id);
      await ben.leave(source);
      expect(await forward(ben, id, { client_msg_id: 'f1', type: 'image' })).toEqual(sent);
      expect(errorOf(await tryForward(ben, id, { client_msg_id: 'f2' }))).toEqual(NOT_FOUND);
      // The rejected message has not used up its id.
      expect(await ben.send(target, 'y', { client_msg_id: 'f2' })).toMatchObject({ content: 'y' });
    });

    it('is compared by the id of the original', async () => {
      const [one, other] = [await ann.send(source, 'x'), await ann.send(source, 'x')];
      await forward(ben, one.id, { client_msg_id: 'f3' });
      expect(errorOf(await tryForward(ben, other.id, { client_msg_id: 'f3' }))).toEqual(USED);
      const said = { type: 'text', content: 'x', client_msg_id: 'f3' };
      expect(errorOf(await ben.trySend(target, said))).toEqual(USED);
    });
  });
});

describe('A client_msg_id', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let group: number;
  let original: number;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben] = await ChatUser.annBenAndCat(test.api);
    group = await ann.createGroup([2, 3]);
    original = (await ben.send(group, 'original')).id;
  });
  afterAll(() => test?.close());

  it('is published to the sender only', async () => {
    const sent = await ann.send(group, 'x', { client_msg_id: 'mine' });
    expect(sent.client_msg_id).toBe('mine');
    expect((await ann.peek(group))[0]?.client_msg_id).toBe('mine');
    expect((await ben.peek(group))[0]?.client_msg_id).toBeNull();
    expect(await ann.recall(sent.id)).toMatchObject({ client_msg_id: 'mine' });
  });

  it('includes the reply and the mentions, in any order and number', async () => {
    const more = { client_msg_id: 'all', reply_to_id: original, mentions: [3, 2, 999], mention_all: true };
    const sent = await ann.send(group, 'x', more);
    expect(await ann.send(group, 'x', { ...more, mentions: [999, 2, 3, 2] })).toEqual(sent);
    for (const other of [
      { reply_to_id: sent.id },
      { reply_to_id: undefined },
      { mentions: [3, 2] },
      { mentions: undefined },
      { mention_all: false },
    ]) {
      const body = { type: 'text', content: 'x', ...more, ...other };
      expect(errorOf(await ann.trySend(group, body))).toEqual(USED);
    }
  });

  it('ignores fields without effect', async () => {
    const sent = await ann.send(group, 'x', { client_msg_id: 'none' });
    const more = {
      client_msg_id: 'none',
      reply_to_id: null,
      mentions: [],
      mention_all: false,
      forward_id: null,
    };
    expect(await ann.send(group, 'x', more)).toEqual(sent);
  });

  it('returns the message regardless of the state of the quoted one', async () => {
    const { id } = await ben.send(group, 'gone soon');
    const more = { client_msg_id: 'gone', reply_to_id: id };
    const sent = await ann.send(group, 'x', more);
    await ben.recall(id);
    const again = await ann.send(group, 'x', more);
    expect(again).toMatchObject({ id: sent.id, reply_to: { is_recalled: true } });
    const other = { type: 'text', content: 'x', client_msg_id: 'other', reply_to_id: id };
    expect(errorOf(await ann.trySend(group, other))).toEqual(NOT_FOUND);
  });

  it('is free after two concurrent rejections, each with its own error', async () => {
    const body = { type: 'text', content: 'x', client_msg_id: 'twice', reply_to_id: 987_654_321 };
    const responses = await Promise.all(Array.from({ length: 5 }, () => ann.trySend(group, body)));
    expect(responses.map(errorOf)).toEqual(Array.from({ length: 5 }, () => NOT_FOUND));
    expect(await ann.send(group, 'x', { client_msg_id: 'twice' })).toMatchObject({ content: 'x' });
  });
});
