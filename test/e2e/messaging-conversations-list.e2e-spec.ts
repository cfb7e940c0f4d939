import { ChatUser, errorOf } from '../support/messaging';
import { createTestApp, START, type TestApp } from '../support/test-app';

const URL = '/api/messages/conversations';

describe('Conversations', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let cat: ChatUser;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben, cat] = await ChatUser.annBenAndCat(test.api);
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  /** Users of this test only. */
  let nextId = 100;
  const strangers = (count: number): Promise<ChatUser[]> => {
    const ids = Array.from({ length: count }, (_, index) => nextId + index);
    nextId += count;
    return ChatUser.signInAll(test.api, ids);
  };
  const stranger = async (): Promise<ChatUser> => (await strangers(1))[0] as ChatUser;

  describe('in the list', () => {
    it('are empty for a new user', async () => {
      const response = await (await stranger()).api.get(URL);
      expect(response.body.data).toEqual({
        items: [],
        pagination: { total: 0, per_page: 20, current_page: 1, last_page: 1, has_more: false },
      });
      expect(response.headers['x-total-count']).toBe('0');
    });

    it('are sorted by newest message, for every member; equal times by the higher id', async () => {
      const [me, peer] = (await strangers(2)) as [ChatUser, ChatUser];
      const single = await me.openSingle(peer.id);
      const first = await me.createGroup([peer.id]);
      const second = await me.createGroup([peer.id]);
      expect(await me.listedIds()).toEqual([second, first, single]);
      test.clock.advance(1);
      await peer.send(single);
      expect(await me.listedIds()).toEqual([single, second, first]);
      expect(await peer.listedIds()).toEqual([single, second, first]);
      test.clock.advance(1);
      await me.send(first);
      expect(await peer.listedIds()).toEqual([first, single, second]);
    });

    it('are sorted pinned first, only for the user who pinned them', async () => {
      const [me, peer] = (await strangers(2)) as [ChatUser, ChatUser];
      const old = await me.createGroup([peer.id]);
      test.clock.advance(1);
      const recent = await me.createGroup([peer.id]);
      expect((await me.settings(old, { pinned: true })).id).toBe(old);
      expect(await me.listedIds()).toEqual([old, recent]);
      expect(await peer.listedIds()).toEqual([recent, old]);
      await me.settings(old, { pinned: false });
      expect(await me.listedIds()).toEqual([recent, old]);
    });

    it('are filtered by type', async () => {
      const [me, peer] = (await strangers(2)) as [ChatUser, ChatUser];
      const single = await me.openSingle(peer.id);
      const group = await me.createGroup();
      expect(await me.listedIds('?type=single')).toEqual([single]);
      expect(await me.listedIds('?type=group')).toEqual([group]);
      expect((await me.list('?type=group')).pagination.total).toBe(1);
      expect(await me.listedIds('?type=')).toEqual([group, single]);
    });

    it.each([
      ['type=crowd', 'type 取值无效'],
      ['page=0', 'page 不能小于 1'],
      ['page=-1', 'page 必须是整数'],
      ['per_page=0', 'per_page 不能小于 1'],
      ['per_page=101', 'per_page 不能大于 100'],
      ['per_page=abc', 'per_page 必须是整数'],
      ['hidden=2', 'hidden 取值无效'],
      ['hidden=yes', 'hidden 必须是整数'],
    ])('reject %s', async (query, message) => {
      expect(errorOf(await ann.api.get(`${URL}?${query}`))).toEqual([422, message]);
    });

    it('are complete over pages of any size', async () => {
      const me = await stranger();
      const ids: number[] = [];
      for (let index = 0; index < 12; index += 1) ids.unshift(await me.createGroup());
      for (const size of [1, 5, 6, 12, 100]) {
        const pages = Math.ceil(12 / size);
        const seen: number[] = [];
        for (let page = 1; page <= pages; page += 1) {
          const { items, pagination } = await me.list(`?page=${page}&per_page=${size}`);
          seen.push(...items.map(({ id }) => id));
          expect(pagination).toEqual({
            total: 12,
            per_page: size,
            current_page: page,
            last_page: pages,
            has_more: page < pages,
          });
        }
        expect(seen).toEqual(ids);
      }
      expect(await me.list('?page=99&per_page=5')).toEqual({
        items: [],
        pagination: { total: 12, per_page: 5, current_page: 99, last_page: 3, has_more: false },
      });
    });

    it('include only those of the member', async () => {
      const [me, peer, other] = (await strangers(3)) as [ChatUser, ChatUser, ChatUser];
      await peer.openSingle(other.id);
      expect(await me.listedIds()).toEqual([]);
    });

    it('disappear when a member leaves, and are not counted', async () => {
      const [me, peer] = (await strangers(2)) as [ChatUser, ChatUser];
      const id = await peer.createGroup([me.id]);
      await peer.send(id);
      expect(await me.unreadTotal()).toBe(1);
      await me.leave(id);
      expect((await me.list()).pagination.total).toBe(0);
      expect(await me.unreadTotal()).toBe(0);
      expect(errorOf(await me.tryHistory(id))).toEqual([403, '无权访问此会话']);
    });
  });

  describe('when hidden', () => {
    it.each(['another', 'one of one’s own'])('are shown again with %s message', async (whose) => {
      const [me, peer] = (await strangers(2)) as [ChatUser, ChatUser];
      const id = await me.openSingle(peer.id);
      await peer.send(id);
      const other = await me.createGroup();
      expect((await me.settings(id, { hidden: true })).id).toBe(id);
      expect(await me.listedIds()).toEqual([other]);
      expect((await me.list()).pagination.total).toBe(1);
      expect((await me.list('?type=single')).pagination.total).toBe(0);
      expect(await peer.listedIds()).toEqual([id]);
      expect(await me.unreadTotal()).toBe(1);
      expect(await me.conversation(id)).toMatchObject({ id, unread_count: 1 });
      test.clock.advance(1);
      await (whose === 'another' ? peer : me).send(id);
      expect(await me.listedIds()).toEqual([id, other]);
      expect((await me.list()).pagination.total).toBe(2);
    });

    it('can be unhidden', async () => {
      const [me, peer] = (await strangers(2)) as [ChatUser, ChatUser];
      const id = await me.openSingle(peer.id);
      expect((await me.settings(id, { hidden: true })).hidden).toBe(true);
      expect(await me.listedIds()).toEqual([]);
      expect((await me.settings(id, { hidden: false })).hidden).toBe(false);
      expect(await me.listedIds()).toEqual([id]);
    });
  });

  it('are excluded from the total when muted, and keep their own count', async () => {
    const [me, peer] = (await strangers(2)) as [ChatUser, ChatUser];
    const single = await me.openSingle(peer.id);
    const group = await me.createGroup([peer.id]);
    await peer.send(single);
    await peer.send(group);
    await peer.send(group);
    expect(await me.unreadTotal()).toBe(3);
    await me.settings(group, { muted: true });
    expect(await me.unreadTotal()).toBe(1);
    expect(await me.unreadOf(group)).toBe(2);
    await me.settings(group, { muted: false });
    expect(await me.unreadTotal()).toBe(3);
  });

  it.each(['pinned', 'muted', 'hidden'])('accept only a boolean for %s', async (field) => {
    const id = await ann.createGroup();
    expect(errorOf(await ann.trySettings(id, { [field]: 1 }))).toEqual([422, `${field} 取值无效`]);
    expect(errorOf(await ann.trySettings(id, { [field]: null }))).toEqual([0, '操作成功']);
  });

  describe('show their newest message', () => {
    it('with its sender and its time, which is relative', async () => {
      const id = await ann.createGroup([2]);
      test.clock.advance(61);
      await ben.send(id, 'hi');
      const shown = (await ann.list()).items.find((item) => item.id === id);
      expect(shown).toMatchObject({
        last_message: 'hi',
        last_sender_name: 'Ben',
        message_type: 'text',
        time: '16:01',
        last_message_at: '2026-01-31 16:01:01',
        unread_count: 1,
      });
      const times = [
        ['2026-01-31T15:59:59.999Z', '16:01'],
        ['2026-01-31T16:00:00.000Z', '昨天'],
        ['2026-02-02T01:00:00.000Z', '星期六'],
        ['2026-02-06T15:59:59.000Z', '星期六'],
        ['2026-02-06T16:00:00.000Z', '01-31'],
        ['2027-01-01T00:00:00.000Z', '2026-01-31'],
      ] as const;
      for (const [now, time] of times) {
        test.clock.set(now);
        expect((await ann.conversation(id)).time).toBe(time);
      }
    });

    it.each([
      ['image', 'https://f.test/a', { w: 1 }, '[图片]'],
      ['file', 'https://f.test/a', { name: 'plan.pdf' }, '[文件] plan.pdf'],
      ['file', 'https://f.test/a', undefined, '[文件]'],
      ['audio', 'https://f.test/a', { duration: 12 }, '[语音] 12"'],
      ['audio', 'https://f.test/a', {}, '[语音]'],
      ['video', 'https://f.test/a', undefined, '[视频]'],
      ['location', '39.9,-116.4', { title: 'Home' }, '[位置] Home'],
      ['location', '39.9,-116.4', undefined, '[位置]'],
    ])('as one line: %s %s %j', async (type, content, extra, line) => {
      const id = await ann.openSingle(3);
      const sent = await ann.send(id, content, { type, extra });
      expect(sent).toMatchObject({ type, content, display_content: line, extra: extra ?? null });
      expect(await cat.conversation(id)).toMatchObject({
        last_message: line,
        message_type: type,
        last_sender_name: null,
      });
    });

    it('with its timestamp, which a recall does not change', async () => {
      const id = await ann.createGroup([2]);
      await ann.send(id, 'before');
      await ann.add(id, 3);
      expect((await cat.conversation(id)).last_sent_at).toBeNull();
      test.clock.advance(61.5);
      const { id: newest, sent_at } = await ben.send(id);
      expect(sent_at).toBe('2026-01-31T08:01:01.500Z');
      expect((await cat.conversation(id)).last_sent_at).toBe('2026-01-31T08:01:01.500Z');
      await ben.recall(newest);
      expect((await ann.conversation(id)).last_sent_at).toBe('2026-01-31T08:01:01.500Z');
    });

    it('and the read position', async () => {
      const id = await ann.createGroup([2]);
      const lastRead = async (who: ChatUser) => (await who.conversation(id)).last_read_message_id;
      const first = await ann.send(id);
      const second = await ann.send(id);
      const third = await ann.send(id);
      expect([await lastRead(ann), await lastRead(ben)]).toEqual([third.id, null]);
      await ben.read(id, first.id);
      expect(await lastRead(ben)).toBe(first.id);
      await ann.recall(second.id);
      await ben.read(id, second.id);
      expect(await lastRead(ben)).toBe(second.id);
      expect((await ben.list()).items.find((item) => item.id === id)?.last_read_message_id).toBe(second.id);
      await ben.history(id);
      expect(await lastRead(ben)).toBe(third.id);
      await ann.add(id, 3);
      expect(await lastRead(cat)).toBeNull();
    });

    it('and its recall, but not the recall of an older one', async () => {
      const id = await ann.createGroup([2]);
      const older = await ann.send(id, 'one', { type: 'text' });
      const newest = await ben.send(id, 'https://f.test/a', { type: 'image' });
      await ann.recall(older.id);
      expect((await ann.conversation(id)).last_message).toBe('[图片]');
      await ben.recall(newest.id);
      expect(await ben.conversation(id)).toMatchObject({
        last_message: '你撤回了一条消息',
        last_is_recalled: true,
        message_type: 'image',
      });
      expect(await ann.conversation(id)).toMatchObject({
        last_message: 'Ben撤回了一条消息',
        last_is_recalled: true,
        message_type: 'image',
        last_sender_name: 'Ben',
        last_message_at: '2026-01-31 16:00:00',
      });
    });
  });
});
