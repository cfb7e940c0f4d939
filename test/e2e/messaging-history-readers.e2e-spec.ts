import { ChatUser } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';

const countsOf = (items: { read_count: number; unread_count: number }[]): [number, number][] =>
  items.map(({ read_count, unread_count }) => [read_count, unread_count]);

describe('The history', () => {
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

  /** Sends messages of Ann with the contents `1` to `count`. Returns their ids, oldest first. */
  async function sendMany(count: number): Promise<number[]> {
    const ids = [];
    for (let index = 1; index <= count; index += 1) ids.push((await ann.send(group, String(index))).id);
    return ids;
  }

  describe('marks read', () => {
    it('the counted messages with the time, for the reader only', async () => {
      await sendMany(2);
      test.clock.advance(65);
      const { items } = await ben.history(group);
      expect(items.map(({ is_read, read_at }) => [is_read, read_at])).toEqual([
        [true, '2026-01-31 16:01:05'],
        [true, '2026-01-31 16:01:05'],
      ]);
      expect([await ben.unreadOf(group), await cat.unreadOf(group)]).toEqual([0, 2]);
      expect(await ann.unreadOf(group)).toBe(0);
    });

    it('on any page', async () => {
      await sendMany(3);
      await ben.history(group, '?page=3&per_page=1');
      expect(await ben.unreadOf(group)).toBe(0);
      await ann.send(group);
      await ben.history(group, '?page=99');
      expect(await ben.unreadOf(group)).toBe(0);
    });

    it('around a message too', async () => {
      const [id] = await sendMany(3);
      await ben.history(group, `?after_id=${id}`);
      expect(await ben.unreadOf(group)).toBe(0);
    });

    it('once: the first time is kept', async () => {
      await sendMany(1);
      await ben.history(group);
      test.clock.advance(60);
      expect((await ben.history(group)).items[0]?.read_at).toBe('2026-01-31 16:00:00');
    });

    it('not for HEAD', async () => {
      await sendMany(2);
      const response = await ben.api.send('HEAD', `/api/messages/conversations/${group}/messages`);
      expect([response.status, response.headers['x-total-count']]).toEqual([200, '2']);
      expect(await ben.unreadOf(group)).toBe(2);
    });

    it('not with mark_read=0', async () => {
      await sendMany(2);
      const { items } = await ben.history(group, '?mark_read=0');
      expect(items.map(({ is_read, read_at }) => [is_read, read_at])).toEqual([
        [false, null],
        [false, null],
      ]);
      expect(await ben.unreadOf(group)).toBe(2);
      await ben.history(group, '?mark_read=1');
      expect(await ben.unreadOf(group)).toBe(0);
    });
  });

  describe('returns readers', () => {
    it('of a single chat: the peer, from the first read on', async () => {
      const single = await ann.openSingle(2);
      await ann.send(single);
      const [unread] = await ann.peek(single);
      expect(unread).toMatchObject({ is_read: false, read_at: null, read_count: 0, unread_count: 1 });
      test.clock.advance(30);
      await ben.history(single);
      test.clock.advance(30);
      await ann.send(single);
      await ben.history(single);
      const [second, first] = await ann.peek(single);
      expect(first).toMatchObject({
        is_read: true,
        read_at: '2026-01-31 16:00:30',
        read_count: 1,
        unread_count: 0,
      });
      expect(second).toMatchObject({ is_read: true, read_at: '2026-01-31 16:01:00' });
    });

    it('of a group: their number, and the time of the first', async () => {
      await sendMany(2);
      test.clock.advance(10);
      await ben.history(group);
      test.clock.advance(10);
      await cat.history(group);
      await ben.send(group, 'three');
      expect(countsOf(await ann.peek(group))).toEqual([
        [0, 2],
        [2, 0],
        [2, 0],
      ]);
      expect((await ann.peek(group))[1]).toMatchObject({ is_read: true, read_at: '2026-01-31 16:00:10' });
      expect((await cat.peek(group))[1]).toMatchObject({ is_read: true, read_at: '2026-01-31 16:00:20' });
      expect((await ben.peek(group))[0]).toMatchObject({ is_self: true, is_read: false, read_at: null });
    });

    it('without later and former members', async () => {
      const dan = await ChatUser.signIn(test.api, 4, 'Dan');
      await sendMany(1);
      await ann.add(group, 4);
      await sendMany(1);
      expect(countsOf(await ann.peek(group))).toEqual([
        [0, 3],
        [0, 2],
      ]);
      await dan.history(group);
      expect(countsOf(await ann.peek(group))).toEqual([
        [1, 2],
        [0, 2],
      ]);
      await ben.history(group);
      await ben.leave(group);
      expect(countsOf(await ann.peek(group))).toEqual([
        [1, 1],
        [0, 1],
      ]);
      await ann.add(group, 2);
      expect(countsOf(await ann.peek(group))).toEqual([
        [1, 1],
        [0, 1],
      ]);
    });

    it('also of a message whose sender has left or returned', async () => {
      await ben.send(group);
      await ben.leave(group);
      expect(countsOf(await cat.peek(group))).toEqual([[0, 2]]);
      await ann.history(group);
      expect(countsOf(await cat.peek(group))).toEqual([[1, 1]]);
      await ann.add(group, 2);
      expect(countsOf(await cat.peek(group))).toEqual([[1, 1]]);
    });

    it('and keeps a message read when its readers leave', async () => {
      await sendMany(1);
      test.clock.advance(3);
      await ben.history(group);
      await ben.leave(group);
      await cat.leave(group);
      expect((await ann.peek(group))[0]).toMatchObject({
        is_read: true,
        read_at: '2026-01-31 16:00:03',
        read_count: 0,
        unread_count: 0,
      });
    });

    it('not for new members who never saw it, until an older member reads', async () => {
      const dan = await ChatUser.signIn(test.api, 4, 'Dan');
      await sendMany(2);
      await ann.add(group, 4);
      await sendMany(2);
      test.clock.advance(1);
      await dan.history(group);
      const readTimes = async () => (await ann.peek(group)).map(({ read_at }) => read_at?.slice(-2) ?? null);
      expect(await readTimes()).toEqual(['01', '01', null, null]);
      test.clock.advance(1);
      const [, , , oldest] = await ben.peek(group);
      await ben.read(group, oldest?.id);
      expect(await readTimes()).toEqual(['01', '01', null, '02']);
      test.clock.advance(1);
      await cat.history(group);
      expect(await readTimes()).toEqual(['01', '01', '03', '02']);
    });
  });
});
