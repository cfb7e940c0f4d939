import { ChatUser, switchToLargeGroup, errorOf } from '../support/messaging';
import type { Message } from '../support/messaging-types';
import { statementsOf } from '../support/statements';
import { createTestApp, START, type TestApp } from '../support/test-app';

const NOT_FOUND = [404, '消息不存在'];

describe('A reply', () => {
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
    group = await ann.createGroup([2]);
  });
  afterAll(() => test?.close());

  const response = (who: ChatUser, to: number, more: object = {}): Promise<Message> =>
    who.send(group, 'so?', { reply_to_id: to, ...more });
  const tryAnswer = (who: ChatUser, to: unknown, conversation = group) =>
    who.trySend(conversation, { type: 'text', content: 'so?', reply_to_id: to });
  const quoteIn = async (who: ChatUser, message: number) => (await who.message(message)).reply_to;

  it('quotes the message equally in the response, the history and single reads, for all members', async () => {
    const { id } = await ann.send(group, 'shall we?');
    const reply = await response(ben, id);
    expect(reply.reply_to).toEqual({
      id,
      sender_id: 1,
      sender_name: 'Ann',
      type: 'text',
      display_content: 'shall we?',
      is_recalled: false,
    });
    expect((await ann.peek(group))[0]).toEqual({ ...reply, is_self: false });
    expect(await ann.message(reply.id)).toEqual({ ...reply, is_self: false });
    expect(await ben.message(reply.id)).toEqual(reply);
  });

  it('quotes a hundred characters, or the label of other types', async () => {
    const long = await ann.send(group, `x${'😀'.repeat(4999)}`);
    const file = await ann.send(group, 'https://x.test/a', { type: 'file', extra: { name: 'a.pdf' } });
    const shown = [await response(ben, long.id), await response(ben, file.id)];
    expect(shown.map(({ reply_to }) => reply_to?.display_content)).toEqual([
      `x${'😀'.repeat(99)}`,
      '[文件] a.pdf',
    ]);
  });

  it('can quote a reply, the sender’s own message, and other types', async () => {
    const { id } = await ann.send(group, 'one');
    const second = await response(ann, id);
    const third = await ann.send(group, 'https://x.test/a.png', { type: 'image', reply_to_id: second.id });
    expect([second.reply_to?.id, third.reply_to?.id]).toEqual([id, second.id]);
  });

  it('is updated by an edit and a recall of the quoted message', async () => {
    const { id } = await ann.send(group, 'before');
    const reply = await response(ben, id);
    await ann.edit(id, 'after');
    expect(await quoteIn(ben, reply.id)).toMatchObject({ display_content: 'after', is_recalled: false });
    await ann.recall(id);
    const recalled = { id, sender_id: 1, sender_name: 'Ann', type: 'text', is_recalled: true };
    const expected = { ...recalled, display_content: '消息已撤回' };
    expect([await quoteIn(ann, reply.id), await quoteIn(ben, reply.id)]).toEqual([expected, expected]);
    expect((await ann.peek(group))[0]?.reply_to).toEqual(expected);
  });

  it('shows the quote to later members', async () => {
    const { id } = await ann.send(group, 'old');
    await ann.add(group, 3);
    const reply = await response(ann, id);
    expect(await quoteIn(cat, reply.id)).toMatchObject({ id, display_content: 'old' });
    expect(errorOf(await cat.tryMessage(id))).toEqual(NOT_FOUND);
  });

  it('loses its quote when it is recalled', async () => {
    const { id } = await ann.send(group, 'one');
    const reply = await response(ann, id);
    expect(await ann.recall(reply.id)).toMatchObject({ is_recalled: true, content: '', reply_to: null });
    expect(await ben.message(reply.id)).toMatchObject({ is_recalled: true, reply_to: null });
  });

  it('requires a visible message of the same conversation that is not recalled', async () => {
    const { id } = await ann.send(group, 'one');
    const other = await ann.createGroup([2, 3]);
    const elsewhere = await ann.send(other, 'elsewhere');
    const gone = await ann.send(group, 'gone');
    await ann.recall(gone.id);
    await ann.add(group, 3);
    const before = (await ann.peek(group)).length;
    expect(errorOf(await tryAnswer(ann, elsewhere.id))).toEqual(NOT_FOUND);
    expect(errorOf(await tryAnswer(ann, gone.id))).toEqual(NOT_FOUND);
    expect(errorOf(await tryAnswer(cat, id))).toEqual(NOT_FOUND);
    expect(errorOf(await tryAnswer(ann, 987_654_321))).toEqual(NOT_FOUND);
    expect(errorOf(await tryAnswer(cat, elsewhere.id, await ann.openSingle(2)))).toEqual([
      403,
      '无权访问此会话',
    ]);
    expect(await ann.peek(group)).toHaveLength(before);
  });

  it.each([
    [{ reply_to_id: 'x' }, 'reply_to_id 必须是整数'],
    [{ reply_to_id: 0 }, 'reply_to_id 不能小于 1'],
    [{ reply_to_id: 1.5 }, 'reply_to_id 必须是整数'],
    [{ reply_to_id: [1] }, 'reply_to_id 必须是整数'],
    [{ reply_to_id: {} }, 'reply_to_id 必须是整数'],
  ])('is rejected with %j', async (more, message) => {
    expect(errorOf(await ann.trySend(group, { type: 'text', content: 'x', ...more }))).toEqual([
      422,
      message,
    ]);
  });

  it.each([null, ''])('is not a reply with %j', async (reply_to_id) => {
    expect((await ann.send(group, 'x', { reply_to_id })).reply_to).toBeNull();
  });

  it('works in a large group', async () => {
    await switchToLargeGroup(test, group);
    const { id } = await ann.send(group, 'one');
    const reply = await response(ben, id);
    expect((await ann.peek(group))[0]?.reply_to).toEqual(reply.reply_to);
    await ann.recall(id);
    expect(errorOf(await tryAnswer(ben, id))).toEqual(NOT_FOUND);
  });

  describe('adds', () => {
    const pageOf = (query = '') => statementsOf(test, () => ann.history(group, `?mark_read=0${query}`));

    it('one statement to a page of the history, only for quotes outside the page', async () => {
      const first = await ann.send(group, 'first');
      for (const text of ['a', 'b', 'c']) await ann.send(group, text, { mentions: [2], mention_all: true });
      const plain = await pageOf('&per_page=3');
      expect(plain).toHaveLength(2);
      const [newest] = await ann.peek(group);
      await response(ann, newest?.id ?? 0);
      expect(await pageOf('&per_page=3')).toHaveLength(2);
      for (let count = 0; count < 3; count += 1) await response(ann, first.id);
      expect(await pageOf('&per_page=3')).toHaveLength(3);
    });

    it('one statement to a send', async () => {
      const { id } = await ann.send(group, 'first');
      const plain = await statementsOf(test, () => ann.send(group, 'plain'));
      const reply = await statementsOf(test, () => response(ann, id));
      expect(reply).toHaveLength(plain.length + 1);
    });
  });
});
