import { DataSource } from 'typeorm';
import { ChatUser, dataOf, errorOf } from '../support/messaging';
import type { PageOf } from '../support/messaging-types';
import { createTestApp, START, type TestApp } from '../support/test-app';

interface Member {
  user_id: number;
  name: string;
  avatar: string | null;
  role: string;
  joined_at: string;
}

const FORBIDDEN = [403, '无权操作'];

/** Returns `count` consecutive ids. */
const crowd = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);

describe('Members', () => {
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

  const members = async (query = ''): Promise<PageOf<Member>> =>
    dataOf(await ann.api.get(`/api/messages/conversations/${group}/members${query}`));
  const roles = async (viewer: ChatUser): Promise<[number, string][]> => {
    const response = await viewer.api.get(`/api/messages/conversations/${group}/members`);
    const page: PageOf<Member> = dataOf(response);
    return page.items.map(({ user_id, role }) => [user_id, role]);
  };

  it('are listed in the order of joining', async () => {
    test.clock.advance(5);
    await ann.add(group, 3);
    expect(await members()).toEqual({
      items: [
        { user_id: 1, name: 'Ann', avatar: null, role: 'owner', joined_at: '2026-01-31 16:00:00' },
        { user_id: 2, name: 'Ben', avatar: null, role: 'member', joined_at: '2026-01-31 16:00:00' },
        { user_id: 3, name: 'Cat', avatar: null, role: 'member', joined_at: '2026-01-31 16:00:05' },
      ],
      pagination: { total: 3, per_page: 20, current_page: 1, last_page: 1, has_more: false },
    });
    const second = await members('?page=2&per_page=2');
    expect(second.items.map(({ user_id }) => user_id)).toEqual([3]);
    expect(second.pagination).toMatchObject({ total: 3, last_page: 2, has_more: false });
  });

  it('are found by a part of their name, regardless of case', async () => {
    await ann.add(group, 3);
    await test.query(`UPDATE users SET name = 'Zoë STRASSE' WHERE id = 3`);
    const found = async (query: string): Promise<PageOf<Member>> => members(`?${query}`);
    expect((await found('keyword=stra%C3%9Fe')).items).toEqual([
      { user_id: 3, name: 'Zoë STRASSE', avatar: null, role: 'member', joined_at: '2026-01-31 16:00:00' },
    ]);
    const second = await found('keyword=N&page=2&per_page=1');
    expect(second.items.map(({ name }) => name)).toEqual(['Ben']);
    expect(second.pagination).toMatchObject({ total: 2, last_page: 2, has_more: false });
    expect((await found('keyword=%25')).items).toEqual([]);
    const path = `/api/messages/conversations/${group}/members`;
    expect(errorOf(await ann.api.get(`${path}?keyword=${'x'.repeat(65)}`))).toEqual([
      422,
      'keyword 长度不能超过 64 个字符',
    ]);
  });

  it('of a single chat are two, without an owner', async () => {
    const single = await ann.openSingle(2);
    const response = await ben.api.get(`/api/messages/conversations/${single}/members`);
    expect(dataOf(response).items).toMatchObject([
      { user_id: 1, role: 'member' },
      { user_id: 2, role: 'member' },
    ]);
  });

  it('are added by the owner; existing ones are unchanged', async () => {
    await ann.send(group);
    expect(await ann.add(group, 2, 3, 3)).toMatchObject({ id: group, member_count: 3 });
    expect(await ben.unreadOf(group)).toBe(1);
    expect(await cat.unreadOf(group)).toBe(0);
    expect((await ann.add(group, 2, 3)).member_count).toBe(3);
    expect(errorOf(await ben.tryAdd(group, [3]))).toEqual(FORBIDDEN);
  });

  it.each([
    [undefined, 'user_ids 字段不能为空'],
    [[], 'user_ids 字段不能为空'],
    [3, 'user_ids 必须是数组'],
    [['3'], 'user_ids 取值无效'],
    [Array.from({ length: 501 }, (_, index) => index + 1), 'user_ids 数量不能超过 500'],
    [[3, 7000, 9000], '用户不存在: 7000, 9000'],
  ])('are not added when invalid: %#', async (users, message) => {
    expect(errorOf(await ann.tryAdd(group, users))).toEqual([422, message]);
    expect((await members()).pagination.total).toBe(2);
  });

  it('see no earlier messages, and find the conversation at its join time', async () => {
    await ann.send(group, 'before');
    test.clock.advance(60);
    await ann.add(group, 3);
    test.clock.advance(60);
    expect((await cat.list()).items[0]).toMatchObject({
      id: group,
      last_message: null,
      last_sender_name: null,
      message_type: null,
      unread_count: 0,
      time: '16:01',
      last_message_at: '2026-01-31 16:01:00',
    });
    expect(errorOf(await cat.tryRead(group, { message_id: 1 }))).toEqual([404, '消息不存在']);
  });

  it('are removed by the owner, or leave', async () => {
    await ann.add(group, 3);
    expect(errorOf(await ben.tryRemove(group, 3))).toEqual(FORBIDDEN);
    expect((await ann.tryRemove(group, 3)).body).toEqual({ code: 0, message: '操作成功', data: null });
    expect(errorOf(await cat.tryHistory(group))).toEqual([403, '无权访问此会话']);
    await ben.leave(group);
    expect((await members()).items.map(({ user_id }) => user_id)).toEqual([1]);
    expect((await ann.conversation(group)).member_count).toBe(1);
    expect(errorOf(await ann.tryRemove(group, 3))).toEqual([404, '用户不存在']);
    expect(errorOf(await ann.tryRemove(group, 987_654))).toEqual([404, '用户不存在']);
    const wrong = await ann.api.delete(`/api/messages/conversations/${group}/members/x`);
    expect(errorOf(wrong)).toEqual([422, 'userId 必须是整数']);
  });

  it('become owner in the order of joining when the owner leaves', async () => {
    test.clock.advance(1);
    await ann.add(group, 3);
    await ann.leave(group);
    expect(await roles(ben)).toEqual([
      [2, 'owner'],
      [3, 'member'],
    ]);
    test.clock.advance(1);
    await ben.add(group, 1);
    await ben.leave(group);
    expect(await roles(cat)).toEqual([
      [3, 'owner'],
      [1, 'member'],
    ]);
    await cat.remove(group, 1);
    await cat.leave(group);
  });

  it('return without pin, mute and unread messages', async () => {
    await ben.settings(group, { pinned: true, muted: true });
    await ann.send(group);
    await ben.leave(group);
    test.clock.advance(1);
    const newer = await ben.createGroup();
    await ann.add(group, 2);
    const total = await ben.unreadTotal();
    await ann.send(group);
    expect(await ben.listedIds('?per_page=2')).toEqual([newer, group]);
    expect(await ben.unreadOf(group)).toBe(1);
    expect(await ben.unreadTotal()).toBe(total + 1);
  });

  describe('of a large group', () => {
    let owner: ChatUser;
    let large: number;
    beforeAll(async () => {
      test.clock.set(START);
      owner = await ChatUser.signIn(test.api, 50, 'Owner');
      await test.app
        .get(DataSource)
        .createQueryBuilder()
        .insert()
        .into('users')
        .updateEntity(false)
        .values(
          crowd(10_000, 5_000).map((id) => ({
            id,
            account: null,
            name: `N${id}`,
            avatar: null,
            role: 'user',
            status: 1,
            created_at: new Date(0),
          })),
        )
        .execute();
      large = await owner.createGroup(crowd(10_000, 199));
    });

    it('are up to 5,000', async () => {
      const full = await owner.createGroup(crowd(10_000, 499));
      for (let from = 10_499; from < 14_500; from += 500) await owner.add(full, ...crowd(from, 500));
      expect(await owner.send(full)).toMatchObject({ read_count: 0, unread_count: 4_999 });
      expect(errorOf(await owner.tryAdd(full, [14_999, 1]))).toEqual([422, 'user_ids 数量不能超过 5000']);
      expect((await owner.conversation(full)).member_count).toBe(5_000);
      expect((await owner.add(full, 10_000)).member_count).toBe(5_000);
    });

    it('find it in their lists like others, also after it has grown beyond two hundred', async () => {
      const [first, last] = [await ChatUser.signIn(test.api, 10_000), await ChatUser.signIn(test.api, 60)];
      test.clock.set('2026-02-01T08:00:00.000Z');
      const other = await first.createGroup();
      await owner.settings(large, { pinned: true });
      await first.settings(large, { hidden: true });
      expect(await first.listedIds('?per_page=1')).toEqual([other]);
      const before = (await first.list()).pagination.total;

      await owner.add(large, 60);
      expect((await first.list()).pagination.total).toBe(before);
      expect(await last.list('?per_page=1')).toMatchObject({
        items: [{ id: large, last_message: null, last_message_at: '2026-02-01 16:00:00' }],
        pagination: { total: 1 },
      });
      expect((await owner.listedIds('?type=group'))[0]).toBe(large);

      test.clock.advance(60);
      await last.send(large, 'hi');
      expect((await first.listedIds()).slice(0, 2)).toEqual([large, other]);
      expect((await first.list()).pagination.total).toBe(before + 1);
      expect((await first.list('?type=group')).pagination.total).toBe(before + 1);
      expect((await first.list('?type=single')).pagination.total).toBe(0);
      expect(await first.conversation(large)).toMatchObject({ unread_count: 1, member_count: 201 });

      await first.settings(large, { hidden: true });
      expect((await first.listedIds())[0]).toBe(other);
      expect((await first.list()).pagination.total).toBe(before);
      await first.send(large, 'own');
      expect((await first.listedIds())[0]).toBe(large);
      await last.settings(large, { hidden: true });
      expect(await last.listedIds()).toEqual([]);
      await last.settings(large, { hidden: false });
      expect(await last.listedIds()).toEqual([large]);
      await last.leave(large);
      expect((await last.list()).pagination.total).toBe(0);
    });
  });
});
