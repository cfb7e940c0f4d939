import { DataSource } from 'typeorm';
import { ChatUser, dataOf, repairConversationCounts, errorOf } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';

const NOT_FOUND = [404, '消息不存在'];

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

  describe('unread', () => {
    it('are those of others since the last read', async () => {
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

    it('are counted exactly, in any number', async () => {
      const dataSource = test.app.get(DataSource);
      await dataSource.query('UPDATE conversations SET max_seq = 60000 WHERE id = ?', [group]);
      await repairConversationCounts(test);
      expect(await ann.unreadOf(group)).toBe(60_000);
      expect(await cat.unreadTotal()).toBeGreaterThanOrEqual(60_000);
    });

    it('end at the given message, and the position never moves back', async () => {
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

    it('reject a message of another conversation as end', async () => {
      const { id } = await ann.send(single);
      expect(errorOf(await ann.tryRead(group, { message_id: id }))).toEqual(NOT_FOUND);
      expect(errorOf(await ann.tryRead(group, { message_id: 987_654_321 }))).toEqual(NOT_FOUND);
      expect(errorOf(await ann.tryRead(group, { message_id: 0 }))).toEqual([422, 'message_id 不能小于 1']);
      expect(errorOf(await ann.tryRead(group, { message_id: 'x' }))).toEqual([422, 'message_id 必须是整数']);
    });
  });
});
