import { DataSource } from 'typeorm';
import { ChatUser, errorOf } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';

const NOT_FOUND = [404, '消息不存在'];

describe('Messages', () => {
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
  afterAll(() => test?.close());

  describe('when recalled', () => {
    it('keep their position and lose their content, for all members', async () => {
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

    it('are subtracted from unread counts once, only for members who had not read them', async () => {
      const first = await ann.send(group);
      await ben.history(group);
      await ann.send(group);
      expect([await ben.unreadOf(group), await cat.unreadOf(group)]).toEqual([1, 2]);
      await ann.recall(first.id);
      await ann.recall(first.id);
      expect([await ben.unreadOf(group), await cat.unreadOf(group)]).toEqual([1, 1]);
      expect(await cat.read(group)).toBe(0);
    });

    it('return the same response when recalled again, also after the time limit', async () => {
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
      expect(errorOf(await ann.tryRecall(late.id))).toEqual([409, '已超过撤回时限']);
      expect((await ann.peek(group))[0]?.is_recalled).toBe(false);
    });

    it('require their sender and current membership', async () => {
      const { id } = await ann.send(group);
      expect(errorOf(await ben.tryRecall(id))).toEqual([403, '无权操作']);
      const stranger = await ChatUser.signIn(test.api, 9);
      expect(errorOf(await stranger.tryRecall(id))).toEqual(NOT_FOUND);
      expect(errorOf(await ann.tryRecall(987_654_321))).toEqual(NOT_FOUND);
      expect(errorOf(await ann.api.post('/api/messages/x/recall'))).toEqual([422, 'id 必须是整数']);
    });

    it('return 404 to a sender who has left, also after a return', async () => {
      const { id } = await ben.send(group);
      await ben.leave(group);
      expect(errorOf(await ben.tryRecall(id))).toEqual(NOT_FOUND);
      await ann.add(group, 2);
      expect(errorOf(await ben.tryRecall(id))).toEqual(NOT_FOUND);
    });
  });
});
