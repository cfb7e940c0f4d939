import { DataSource } from 'typeorm';
import { ChatUser, dataOf, errorOf } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';

describe('Messages', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  let single: number;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben, cat] = await ChatUser.annBenAndCat(test.api);
    single = await ann.openSingle(2);
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2, 3]);
  });
  afterAll(() => test?.close());

  describe('when sent', () => {
    it('are returned in the sender’s view', async () => {
      const { id, ...rest } = await ann.send(group, 'hello', { extra: { a: [1, { b: null }] } });
      expect(id).toEqual(expect.any(Number));
      expect(rest).toEqual({
        conversation_id: group,
        sender_id: 1,
        sender_name: 'Ann',
        sender_avatar: null,
        is_self: true,
        type: 'text',
        content: 'hello',
        display_content: 'hello',
        extra: { a: [1, { b: null }] },
        is_recalled: false,
        is_read: false,
        read_at: null,
        read_count: 0,
        unread_count: 2,
        time: '16:00',
        created_at: '2026-01-31 16:00:00',
        sent_at: '2026-01-31T08:00:00.000Z',
        kind: 'message',
        reply_to: null,
        mentions: [],
        mention_all: false,
        attachments: [],
        is_forwarded: false,
        edited_at: null,
        client_msg_id: null,
        notice: null,
        reactions: [],
        is_deleted: false,
      });
    });

    it('are equal in the history, and received by the others', async () => {
      const sent = await ann.send(group, 'hello');
      expect(await ann.peek(group)).toEqual([sent]);
      expect(await ben.peek(group)).toEqual([{ ...sent, is_self: false }]);
    });

    it.each([
      'é e\u0301 ﬀ',
      '😀👩‍👩‍👧‍👦🇨🇳',
      'مرحبا \u202E abc',
      ' padded ',
      "'; DROP TABLE messages; --",
      '\\0 \\n %_',
      '𝒳'.repeat(5000),
    ])('keep every character: %.20s', async (content) => {
      await ann.send(single, content, { extra: { [content.slice(0, 20)]: content.slice(0, 20) } });
      const [message] = await ben.peek(single);
      expect(message).toMatchObject({ content, display_content: content });
      expect(message?.extra).toEqual({ [content.slice(0, 20)]: content.slice(0, 20) });
    });

    it.each([
      [{}, 'type 字段不能为空'],
      [{ type: 'sticker', content: 7 }, 'type 取值无效'],
      [{ type: ' ', content: 'x' }, 'type 字段不能为空'],
      [{ type: 'text' }, 'content 字段不能为空'],
      [{ type: 'text', content: null }, 'content 字段不能为空'],
      [{ type: 'text', content: 7 }, 'content 必须是字符串'],
      [{ type: 'text', content: 'a\0b' }, 'content 取值无效'],
      [{ type: 'image', content: 'a.png' }, 'content 取值无效'],
      [{ type: 'video', content: 'javascript:alert(1)' }, 'content 取值无效'],
      [{ type: 'audio', content: `https://x.test/${'x'.repeat(2000)}` }, 'content 长度不能超过 2000 个字符'],
      [{ type: 'file', content: '', extra: 7 }, 'content 字段不能为空'],
      [{ type: 'location', content: '90.1,0' }, 'content 取值无效'],
      [{ type: 'text', content: 'x', extra: [] }, 'extra 必须是对象'],
      [{ type: 'text', content: 'x', extra: 'x' }, 'extra 必须是对象'],
      [{ type: 'text', content: 'x', extra: { a: 'x'.repeat(4089) } }, 'extra 取值无效'],
      [{ type: 'text', content: 'x', extra: { a: '中'.repeat(1364) } }, 'extra 取值无效'],
      [{ type: 'text', content: 'x', extra: { a: ['b\0'] } }, 'extra 取值无效'],
      [{ type: 'text', content: 'x', extra: { 'a\0': 1 } }, 'extra 取值无效'],
      [{ type: 'text', content: 'x', extra: 7, client_msg_id: 7 }, 'extra 必须是对象'],
      [{ type: 'text', content: 'x', client_msg_id: 7 }, 'client_msg_id 必须是字符串'],
      [{ type: 'text', content: 'x', client_msg_id: 'x'.repeat(65) }, 'client_msg_id 长度不能超过 64 个字符'],
    ])('are rejected when invalid: %#', async (body, message) => {
      expect(errorOf(await ann.trySend(single, body))).toEqual([422, message]);
    });

    it.each([
      [{ type: 'image', content: 'HTTPS://x.test/ü?a=b#c' }],
      [{ type: 'text', content: 'x', extra: { a: 'x'.repeat(4088) } }],
      [{ type: 'text', content: 'x', extra: { a: '\\u0000' } }],
      [{ type: 'text', content: 'x', extra: null, client_msg_id: null }],
      [{ type: 'text', content: 'x', extra: '', client_msg_id: '' }],
    ])('are accepted at the limits: %#', async (body: { type: string; content: string; extra?: unknown }) => {
      const sent = dataOf(await ann.trySend(single, body));
      expect(sent.content).toBe(body.content);
      expect((await ben.peek(single))[0]?.extra).toEqual(typeof body.extra === 'object' ? body.extra : null);
    });

    it('have increasing ids, and use no number when rejected', async () => {
      const first = await ann.send(group);
      await cat.trySend(group, { type: 'text', content: '' });
      await cat.leave(group);
      await cat.trySend(group, { type: 'text', content: 'x' });
      const second = await ben.send(group);
      expect(second.id).toBeGreaterThan(first.id);
      const rows = await test.app
        .get(DataSource)
        .query('SELECT seq FROM messages WHERE conversation_id = ? ORDER BY seq', [group]);
      expect(rows).toEqual([{ seq: 1 }, { seq: 2 }]);
    });
  });

  describe('with a client_msg_id', () => {
    it('are sent once', async () => {
      const sent = await ann.send(group, 'x', { client_msg_id: 'c1', extra: { a: 1, b: 2 } });
      test.clock.advance(86_400 * 365);
      const again = await ann.send(group, 'x', { client_msg_id: 'c1', extra: { b: 2, a: 1 } });
      expect(again).toEqual(sent);
      expect(await ben.peek(group)).toHaveLength(1);
    });

    it('are returned in their current state', async () => {
      const sent = await ann.send(group, 'x', { client_msg_id: 'c2' });
      test.clock.advance(5);
      await ben.history(group);
      expect(await ann.send(group, 'x', { client_msg_id: 'c2' })).toEqual({
        ...sent,
        is_read: true,
        read_at: '2026-01-31 16:00:05',
        read_count: 1,
        unread_count: 1,
      });
    });

    it.each([
      ['content', { content: 'y' }],
      ['type', { type: 'image', content: 'https://x.test' }],
      ['extra', { extra: { a: 1 } }],
    ])('reject another %s', async (_, change) => {
      await ann.send(group, 'x', { client_msg_id: 'c3' });
      const body = { type: 'text', content: 'x', client_msg_id: 'c3', ...change };
      expect(errorOf(await ann.trySend(group, body))).toEqual([409, '请求标识已被使用']);
      expect(await ben.peek(group)).toHaveLength(1);
    });

    it('are compared with the content before a recall', async () => {
      const { id } = await ann.send(group, 'x', { client_msg_id: 'c4' });
      const recalled = await ann.recall(id);
      expect(await ann.send(group, 'x', { client_msg_id: 'c4' })).toEqual(recalled);
      const other = { type: 'text', content: '', client_msg_id: 'c4' };
      expect(errorOf(await ann.trySend(group, { ...other, content: 'y' }))).toEqual([
        409,
        '请求标识已被使用',
      ]);
    });

    it('are separate for each sender and conversation, compared byte for byte', async () => {
      const ids = [
        (await ann.send(group, 'x', { client_msg_id: 'c5' })).id,
        (await ben.send(group, 'x', { client_msg_id: 'c5' })).id,
        (await ann.send(single, 'x', { client_msg_id: 'c5' })).id,
        (await ann.send(group, 'x', { client_msg_id: 'C5' })).id,
        (await ann.send(group, 'x', { client_msg_id: 'c5 ' })).id,
        (await ann.send(group, 'x', { client_msg_id: 'ç5' })).id,
      ];
      expect(new Set(ids).size).toBe(6);
    });
  });
});
