import { DataSource } from 'typeorm';
import { Chatter, dataOf, verdictOf } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';

const NOT_FOUND = [404, '消息不存在'];

describe('Messages', () => {
  let test: TestApp;
  let ann: Chatter;
  let ben: Chatter;
  let cat: Chatter;
  let single: number;
  let group: number;
  beforeAll(async () => {
    test = await createTestApp();
    ann = await Chatter.meet(test.api, 1, 'Ann');
    ben = await Chatter.meet(test.api, 2, 'Ben');
    cat = await Chatter.meet(test.api, 3, 'Cat');
    single = await ann.openSingle(2);
  });
  beforeEach(async () => {
    test.clock.set(START);
    group = await ann.createGroup([2, 3]);
  });
  afterAll(() => test?.close());

  describe('when sent', () => {
    it('come back as their sender sees them', async () => {
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
      });
    });

    it('look the same in the history, and received to the others', async () => {
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
      [{ type: 'text' }, 'content 字段不能为空'],
      [{ type: 'text', content: null }, 'content 字段不能为空'],
      [{ type: 'text', content: ' \n ' }, 'content 字段不能为空'],
      [{ type: 'text', content: 7 }, 'content 必须是字符串'],
      [{ type: 'text', content: 'x'.repeat(5001) }, 'content 长度不能超过 5000 个字符'],
      [{ type: 'text', content: 'a\0b' }, 'content 取值无效'],
      [{ type: 'image', content: 'a.png' }, 'content 取值无效'],
      [{ type: 'video', content: 'javascript:alert(1)' }, 'content 取值无效'],
      [{ type: 'audio', content: `https://x.test/${'x'.repeat(2000)}` }, 'content 长度不能超过 2000 个字符'],
      [{ type: 'file', content: '', extra: 7 }, 'content 字段不能为空'],
      [{ type: 'location', content: '90.1,0' }, 'content 取值无效'],
      [{ type: 'location', content: '0,-180.01' }, 'content 取值无效'],
      [{ type: 'location', content: '1;2' }, 'content 取值无效'],
      [{ type: 'location', content: '1' }, 'content 取值无效'],
      [{ type: 'text', content: 'x', extra: [] }, 'extra 必须是对象'],
      [{ type: 'text', content: 'x', extra: 'x' }, 'extra 必须是对象'],
      [{ type: 'text', content: 'x', extra: { a: 'x'.repeat(4089) } }, 'extra 取值无效'],
      [{ type: 'text', content: 'x', extra: { a: '中'.repeat(1364) } }, 'extra 取值无效'],
      [{ type: 'text', content: 'x', extra: { a: ['b\0'] } }, 'extra 取值无效'],
      [{ type: 'text', content: 'x', extra: { 'a\0': 1 } }, 'extra 取值无效'],
      [{ type: 'text', content: 'x', extra: 7, client_msg_id: 7 }, 'extra 必须是对象'],
      [{ type: 'text', content: 'x', client_msg_id: 7 }, 'client_msg_id 必须是字符串'],
      [{ type: 'text', content: 'x', client_msg_id: 'x'.repeat(65) }, 'client_msg_id 长度不能超过 64 个字符'],
    ])('are refused when wrong: %#', async (body, message) => {
      expect(verdictOf(await ann.trySend(single, body))).toEqual([422, message]);
    });

    it.each([
      [{ type: 'location', content: '90,-180' }],
      [{ type: 'location', content: '-90.0,180.000' }],
      [{ type: 'image', content: 'HTTPS://x.test/ü?a=b#c' }],
      [{ type: 'text', content: 'x', extra: { a: 'x'.repeat(4088) } }],
      [{ type: 'text', content: 'x', extra: { a: '\\u0000' } }],
      [{ type: 'text', content: 'x', extra: null, client_msg_id: null }],
      [{ type: 'text', content: 'x', extra: '', client_msg_id: '' }],
    ])('are taken at the edges: %#', async (body: { type: string; content: string; extra?: unknown }) => {
      const sent = dataOf(await ann.trySend(single, body));
      expect(sent.content).toBe(body.content);
      expect((await ben.peek(single))[0]?.extra).toEqual(typeof body.extra === 'object' ? body.extra : null);
    });

    it('get ids that rise, and use up no number when refused', async () => {
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
    it('are sent once, now and later', async () => {
      const sent = await ann.send(group, 'x', { client_msg_id: 'c1', extra: { a: 1, b: 2 } });
      test.clock.advance(86_400 * 365);
      const again = await ann.send(group, 'x', { client_msg_id: 'c1', extra: { b: 2, a: 1 } });
      expect(again).toEqual(sent);
      expect(await ben.peek(group)).toHaveLength(1);
    });

    it('come back as they are now', async () => {
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
    ])('refuse another %s', async (_, change) => {
      await ann.send(group, 'x', { client_msg_id: 'c3' });
      const body = { type: 'text', content: 'x', client_msg_id: 'c3', ...change };
      expect(verdictOf(await ann.trySend(group, body))).toEqual([409, '请求标识已被使用']);
      expect(await ben.peek(group)).toHaveLength(1);
    });

    it('remember what was sent beyond a recall', async () => {
      const { id } = await ann.send(group, 'x', { client_msg_id: 'c4' });
      const recalled = await ann.recall(id);
      expect(await ann.send(group, 'x', { client_msg_id: 'c4' })).toEqual(recalled);
      const other = { type: 'text', content: '', client_msg_id: 'c4' };
      expect(verdictOf(await ann.trySend(group, { ...other, content: 'y' }))).toEqual([
        409,
        '请求标识已被使用',
      ]);
    });

    it('belong to their sender and their conversation, byte for byte', async () => {
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

  describe('when recalled', () => {
    it('keep their place and lose their content, for everybody', async () => {
      const sent = await ann.send(group, 'secret', { extra: { a: 1 } });
      await ben.send(group, 'later');
      const gone = {
        ...sent,
        content: '',
        display_content: '你撤回了一条消息',
        extra: null,
        is_recalled: true,
        is_read: true,
        read_at: '2026-01-31 16:00:00',
        read_count: 1,
        unread_count: 1,
      };
      expect(await ann.recall(sent.id)).toEqual(gone);
      expect((await ann.peek(group))[1]).toEqual(gone);
      expect((await cat.peek(group))[1]).toEqual({
        ...gone,
        is_self: false,
        is_read: false,
        read_at: null,
        display_content: 'Ann撤回了一条消息',
      });
      expect((await cat.history(group)).pagination.total).toBe(2);
      const stored = await test.app
        .get(DataSource)
        .query('SELECT content, extra FROM messages WHERE conversation_id = ? AND seq = 1', [group]);
      expect(stored).toEqual([{ content: '', extra: null }]);
    });

    it('no longer count as unread, once, and only for who had not read them', async () => {
      const first = await ann.send(group);
      await ben.history(group);
      await ann.send(group);
      expect([await ben.unreadOf(group), await cat.unreadOf(group)]).toEqual([1, 2]);
      await ann.recall(first.id);
      await ann.recall(first.id);
      expect([await ben.unreadOf(group), await cat.unreadOf(group)]).toEqual([1, 1]);
      expect(await cat.read(group)).toBe(0);
    });

    it('stay so: recalling again is the same answer, even when it is too late', async () => {
      const { id } = await ann.send(group);
      const recalled = await ann.recall(id);
      test.clock.advance(1000);
      expect(await ann.recall(id)).toEqual(recalled);
    });

    it('must be recalled within two minutes', async () => {
      const [early, late] = [await ann.send(group), await ann.send(group)];
      test.clock.advance(120);
      expect((await ann.recall(early.id)).is_recalled).toBe(true);
      test.clock.advance(0.001);
      expect(verdictOf(await ann.tryRecall(late.id))).toEqual([409, '已超过撤回时限']);
      expect((await ann.peek(group))[0]?.is_recalled).toBe(false);
    });

    it('must be one’s own, and in a conversation that one is in', async () => {
      const { id } = await ann.send(group);
      expect(verdictOf(await ben.tryRecall(id))).toEqual([403, '无权操作']);
      const stranger = await Chatter.meet(test.api, 9);
      expect(verdictOf(await stranger.tryRecall(id))).toEqual(NOT_FOUND);
      expect(verdictOf(await ann.tryRecall(987_654_321))).toEqual(NOT_FOUND);
      expect(verdictOf(await ann.api.post('/api/messages/x/recall'))).toEqual([422, 'id 必须是整数']);
    });

    it('are not there for a sender who has left, nor after coming back', async () => {
      const { id } = await ben.send(group);
      await ben.leave(group);
      expect(verdictOf(await ben.tryRecall(id))).toEqual(NOT_FOUND);
      await ann.add(group, 2);
      expect(verdictOf(await ben.tryRecall(id))).toEqual(NOT_FOUND);
    });
  });

  describe('unread', () => {
    it('are those of others since one last read', async () => {
      for (let index = 0; index < 3; index += 1) await ben.send(group);
      expect([await ann.unreadOf(group), await ben.unreadOf(group)]).toEqual([3, 0]);
      await ann.history(group, '?page=2&per_page=1');
      expect([await ann.unreadOf(group), await cat.unreadOf(group)]).toEqual([0, 3]);
    });

    it('are none after sending', async () => {
      await ben.send(group);
      test.clock.advance(7);
      await ann.send(group);
      expect(await ann.unreadOf(group)).toBe(0);
      expect((await ben.peek(group))[1]).toMatchObject({
        is_read: true,
        read_at: '2026-01-31 16:00:07',
        read_count: 1,
        unread_count: 1,
      });
      expect((await ann.peek(group))[1]).toMatchObject({ is_read: true, read_at: '2026-01-31 16:00:07' });
    });

    it('are counted exactly, however many', async () => {
      const dataSource = test.app.get(DataSource);
      await dataSource.query('UPDATE conversations SET max_seq = 60000 WHERE id = ?', [group]);
      expect(await ann.unreadOf(group)).toBe(60_000);
      expect(await cat.unreadTotal()).toBeGreaterThanOrEqual(60_000);
    });

    it('end where one says; a position never goes back', async () => {
      const sent = [];
      for (let index = 0; index < 4; index += 1) sent.push((await ben.send(group)).id);
      expect(await ann.read(group, sent[1])).toBe(2);
      expect(await ann.read(group, sent[0])).toBe(2);
      expect(await ann.unreadOf(group)).toBe(2);
      test.clock.advance(9);
      expect(dataOf(await ann.tryRead(group))).toEqual({ unread_count: 0 });
      expect((await ann.peek(group)).map(({ read_at }) => read_at)).toEqual([
        '2026-01-31 16:00:09',
        '2026-01-31 16:00:09',
        '2026-01-31 16:00:00',
        '2026-01-31 16:00:00',
      ]);
    });

    it('take no message of another conversation for an end', async () => {
      const { id } = await ann.send(single);
      expect(verdictOf(await ann.tryRead(group, { message_id: id }))).toEqual(NOT_FOUND);
      expect(verdictOf(await ann.tryRead(group, { message_id: 987_654_321 }))).toEqual(NOT_FOUND);
      expect(verdictOf(await ann.tryRead(group, { message_id: 0 }))).toEqual([422, 'message_id 不能小于 1']);
      expect(verdictOf(await ann.tryRead(group, { message_id: 'x' }))).toEqual([
        422,
        'message_id 必须是整数',
      ]);
    });
  });
});
