import { newUserIds } from '../support/calls';
import { ChatUser, errorOf } from '../support/messaging';
import { block } from '../support/people';
import { createTestApp, type TestApp } from '../support/test-app';

const NOT_FOUND = [404, '消息不存在'];
const NOT_ALLOWED = [403, '无权操作'];

/* Combinations of optional features of messages (API 8). */
describe('Messages with replies, mentions, edits, deletions and reactions', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  beforeAll(async () => {
    test = await createTestApp({ env: { CHAT_NOTICES: 'members' } });
  });
  beforeEach(async () => {
    [ann, ben] = (await ChatUser.signInAll(test.api, newUserIds(2))) as [ChatUser, ChatUser];
  });
  afterAll(() => test?.close());

  const send = (chat: number, body: object) =>
    ann.api.post(`/api/messages/conversations/${chat}/messages`, body);
  const response = (chat: number, id: number) => send(chat, { type: 'text', content: 'x', reply_to_id: id });

  /** Asserts that every action on a message that the user does not see is rejected. */
  async function expectDeleted(chat: number, id: number): Promise<void> {
    const responses = [
      await ann.api.get(`/api/messages/${id}`),
      await response(chat, id),
      await send(chat, { forward_id: id }),
      await ann.api.put(`/api/messages/${id}`, { content: 'y' }),
      await ann.api.put(`/api/messages/${id}/reactions`, { emoji: '👍' }),
    ];
    expect(responses.map(errorOf)).toEqual([NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND]);
  }

  it('are hidden from users who have deleted or cleared them, and visible to the others', async () => {
    const chat = await ann.openSingle(ben.id);
    const deleted = await ann.send(chat, 'one');
    const cleared = await ann.send(chat, 'two');
    await ann.delete(deleted.id);
    await expectDeleted(chat, deleted.id);
    await ann.clear(chat);
    await expectDeleted(chat, cleared.id);
    const reply = await ben.send(chat, 'so?', { reply_to_id: deleted.id });
    expect(reply.reply_to).toMatchObject({ id: deleted.id, display_content: 'one' });
    // Quotes of other users show the message until they are deleted as well.
    expect((await ann.peek(chat)).map(({ reply_to }) => reply_to?.id)).toEqual([deleted.id]);
    await ann.delete(reply.id);
    expect((await ann.peek(chat)).map(({ reply_to }) => reply_to)).toEqual([null]);
  });

  it('publish no edit to a user who has deleted the message', async () => {
    const chat = await ann.openSingle(ben.id);
    const { id } = await ben.send(chat, 'secret');
    await ann.delete(id);
    await ben.edit(id, 'more secret');
    expect(await ann.events('message.edited')).toEqual([]);
    expect(await ben.events('message.edited')).toHaveLength(1);
    expect(await ann.peek(chat)).toMatchObject([
      { is_deleted: true, content: '', display_content: '消息已删除' },
    ]);
  });

  it('do not mention users who have deleted or cleared them', async () => {
    const group = await ben.createGroup([ann.id]);
    const first = await ben.send(group, 'you', { mentions: [ann.id] });
    const second = await ben.send(group, 'all', { mention_all: true });
    expect(await ann.mentionOf(group)).toBe(second.id);
    await ann.delete(second.id);
    expect(await ann.mentionOf(group)).toBe(first.id);
    expect(await ann.events('message.deleted')).toMatchObject([{ conversation: { mention_id: first.id } }]);
    await ann.delete(first.id);
    expect(await ann.mentionOf(group)).toBeNull();
    const third = await ben.send(group, 'again', { mentions: [ann.id] });
    expect(await ann.mentionOf(group)).toBe(third.id);
    await ann.clear(group);
    expect(await ann.conversation(group)).toMatchObject({
      mention_id: null,
      last_message_id: null,
      last_sender_id: null,
      last_message: null,
    });
  });

  it('reject replies, forwards, edits and recalls of notices', async () => {
    const group = await ann.createGroup([ben.id]);
    await ann.api.put(`/api/messages/conversations/${group}`, { name: 'Trip' });
    const [notice] = await ann.peek(group);
    const id = notice?.id ?? 0;
    expect(notice).toMatchObject({
      kind: 'notice',
      reply_to: null,
      mentions: [],
      mention_all: false,
      attachments: [],
      is_forwarded: false,
      edited_at: null,
      reactions: [],
      is_deleted: false,
      client_msg_id: null,
    });
    const responses = [
      await response(group, id),
      await send(group, { forward_id: id }),
      await ann.api.put(`/api/messages/${id}`, { content: 'y' }),
      await ann.api.put(`/api/messages/${id}/reactions`, { emoji: '👍' }),
      await ann.api.post(`/api/messages/${id}/recall`),
    ];
    expect(responses.map(errorOf)).toEqual([NOT_FOUND, NOT_FOUND, NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED]);
  });

  it('cannot be sent, edited or reacted to across a block, including removals', async () => {
    const chat = await ann.openSingle(ben.id);
    const { id } = await ann.send(chat, 'before');
    await ann.react(id);
    await block(ben.api, ann.id);
    const responses = [
      await response(chat, id),
      await send(chat, { forward_id: id }),
      await ann.api.put(`/api/messages/${id}`, { content: 'y' }),
      await ann.api.put(`/api/messages/${id}/reactions`, { emoji: '👍', reacted: false }),
    ];
    expect(responses.map(errorOf)).toEqual([NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED]);
    await ann.delete(id);
    await ann.clear(chat);
    expect((await ben.peek(chat)).map(({ content, reactions }) => [content, reactions.length])).toEqual([
      ['before', 1],
    ]);
  });
});
