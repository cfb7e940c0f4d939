import { ChatUser, dataOf, errorOf } from '../support/messaging';
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

  describe('of two users', () => {
    it('are named after the peer, for each side', async () => {
      const response = await ann.api.post(URL, { type: 'single', peer_id: 2 });
      const { id, ...rest } = dataOf(response);
      expect(id).toEqual(expect.any(Number));
      expect(rest).toEqual({
        type: 'single',
        name: 'Ben',
        avatar: null,
        is_group: false,
        member_count: null,
        last_message: null,
        last_sender_name: null,
        time: '16:00',
        last_message_at: '2026-01-31 16:00:00',
        unread_count: 0,
        message_type: null,
        last_sent_at: null,
        last_read_message_id: null,
        muted: false,
        mute_until: null,
        pinned: false,
        hidden: false,
        role: 'member',
        peer_id: 2,
        last_message_id: null,
        last_sender_id: null,
        last_is_recalled: false,
        last_is_deleted: false,
        last_notice: null,
        mention_id: null,
      });
      expect(await ben.conversation(id)).toMatchObject({ id, name: 'Ann', role: 'member', peer_id: 1 });
    });

    it('are created once, from either side', async () => {
      const id = await ann.openSingle(2);
      expect(await ben.openSingle(1)).toBe(id);
      expect(await ann.openSingle(2)).toBe(id);
    });

    it.each([
      [{ type: 'single' }, [422, 'peer_id 字段不能为空']],
      [{ type: 'single', peer_id: '2' }, [422, 'peer_id 必须是整数']],
      [{ type: 'single', peer_id: 0 }, [422, 'peer_id 不能小于 1']],
      [{ type: 'single', peer_id: 1 }, [422, 'peer_id 取值无效']],
      [{ type: 'single', peer_id: 999 }, [404, '用户不存在']],
      [{}, [422, 'type 字段不能为空']],
      [{ type: 'crowd', peer_id: 'x' }, [422, 'type 取值无效']],
    ])('reject %j', async (body, verdict) => {
      expect(errorOf(await ann.api.post(URL, body))).toEqual(verdict);
    });

    it('cannot be renamed or get other members', async () => {
      const id = await ann.openSingle(2);
      const rejection = [403, '无权操作'];
      expect(errorOf(await ann.api.put(`${URL}/${id}`, { name: 'Us' }))).toEqual(rejection);
      expect(errorOf(await ann.tryAdd(id, [3]))).toEqual(rejection);
      expect(errorOf(await ann.tryRemove(id, 2))).toEqual(rejection);
      expect(errorOf(await ann.tryRemove(id, 1))).toEqual(rejection);
      expect(errorOf(await ann.tryRemove(id, 3))).toEqual([404, '用户不存在']);
    });
  });

  describe('of a group', () => {
    it('have a name, a picture and members; fields of single chats are ignored', async () => {
      const body = {
        type: 'group',
        name: '😀 Trip',
        member_ids: [2, 3, 3, 1],
        avatar: 'https://img.test/g.png',
        peer_id: 'x',
      };
      const { id, ...rest } = dataOf(await ann.api.post(URL, body));
      expect(rest).toEqual({
        type: 'group',
        name: '😀 Trip',
        avatar: 'https://img.test/g.png',
        is_group: true,
        member_count: 3,
        last_message: null,
        last_sender_name: null,
        time: '16:00',
        last_message_at: '2026-01-31 16:00:00',
        unread_count: 0,
        message_type: null,
        last_sent_at: null,
        last_read_message_id: null,
        muted: false,
        mute_until: null,
        pinned: false,
        hidden: false,
        role: 'owner',
        peer_id: null,
        last_message_id: null,
        last_sender_id: null,
        last_is_recalled: false,
        last_is_deleted: false,
        last_notice: null,
        mention_id: null,
      });
      expect(await cat.conversation(id)).toMatchObject({
        id,
        name: '😀 Trip',
        member_count: 3,
        role: 'member',
        peer_id: null,
      });
    });

    it('can have only their creator', async () => {
      const id = await ann.createGroup();
      expect((await ann.conversation(id)).member_count).toBe(1);
    });

    it.each([
      [{ type: 'group' }, 'name 字段不能为空'],
      [{ type: 'group', name: ' ' }, 'name 字段不能为空'],
      [{ type: 'group', name: 'x'.repeat(101) }, 'name 长度不能超过 100 个字符'],
      [{ type: 'group', name: 'x', member_ids: 2 }, 'member_ids 必须是数组'],
      [{ type: 'group', name: 'x', member_ids: [2, 0] }, 'member_ids 取值无效'],
      [
        { type: 'group', name: 'x', member_ids: Array.from({ length: 501 }, (_, i) => i + 1) },
        'member_ids 数量不能超过 500',
      ],
      [{ type: 'group', name: 'x', avatar: 'ftp://x' }, 'avatar 取值无效'],
      [{ type: 'group', name: 'x', member_ids: [2, 997, 998] }, '用户不存在: 997, 998'],
    ])('are rejected when invalid: %#', async (body, message) => {
      expect(errorOf(await ann.api.post(URL, body))).toEqual([422, message]);
    });

    it('are created completely or not at all', async () => {
      const [owner, member] = (await strangers(2)) as [ChatUser, ChatUser];
      await owner.api.post(URL, { type: 'group', name: 'x', member_ids: [member.id, 998] });
      expect((await owner.list()).pagination.total).toBe(0);
      expect((await member.list()).pagination.total).toBe(0);
    });

    it('are changed by their owner only, and only in the given fields', async () => {
      const id = await ann.createGroup([2], 'Old');
      const renamed = await ann.api.put(`${URL}/${id}`, { name: 'New' });
      expect(dataOf(renamed)).toMatchObject({ name: 'New', avatar: null });
      const avatar = 'https://img.test/n.png';
      expect(dataOf(await ann.api.put(`${URL}/${id}`, { avatar }))).toMatchObject({
        name: 'New',
        avatar,
      });
      expect(await ben.conversation(id)).toMatchObject({ name: 'New', avatar });
      expect(dataOf(await ann.api.put(`${URL}/${id}`, {}))).toMatchObject({
        name: 'New',
        avatar,
      });
      const cleared = await ann.api.put(`${URL}/${id}`, { avatar: null });
      expect(dataOf(cleared).avatar).toBeNull();
      expect(errorOf(await ann.api.put(`${URL}/${id}`, { name: '' }))).toEqual([422, 'name 字段不能为空']);
      expect(errorOf(await ben.api.put(`${URL}/${id}`, { name: 'Mine' }))).toEqual([403, '无权操作']);
    });
  });

  describe('of other users, and unknown ones', () => {
    it.each([
      ['GET', '', undefined],
      ['PUT', '', undefined],
      ['GET', '/members', undefined],
      ['POST', '/members', { user_ids: [1] }],
      ['DELETE', '/members/1', undefined],
      ['PUT', '/settings', { pinned: true }],
      ['PUT', '/owner', { user_id: 1 }],
      ['DELETE', '', undefined],
      ['POST', '/read', undefined],
      ['POST', '/read', { message_id: 1 }],
      ['GET', '/messages', undefined],
      ['GET', '/messages?before_id=1', undefined],
      ['POST', '/messages', { type: 'text', content: 'x' }],
      ['POST', '/messages', { type: 'text', content: 'x', client_msg_id: 'x' }],
    ] as const)('return the same response: %s %s', async (method, path, body) => {
      const id = await ann.createGroup([2]);
      const rejection = [403, '无权访问此会话'];
      expect(errorOf(await cat.api.send(method, `${URL}/${id}${path}`, body))).toEqual(rejection);
      expect(errorOf(await cat.api.send(method, `${URL}/987654321${path}`, body))).toEqual(rejection);
    });

    it('return 422 for an invalid id', async () => {
      expect(errorOf(await ann.api.get(`${URL}/abc`))).toEqual([422, 'id 必须是整数']);
      expect(errorOf(await ann.api.get(`${URL}/abc/messages`))).toEqual([422, 'id 必须是整数']);
    });
  });
});
