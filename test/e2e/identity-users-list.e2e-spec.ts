import { createUser } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';

describe('User administration', () => {
  describe('The list', () => {
    let list: TestApp;
    let boss: ApiClient;
    beforeAll(async () => {
      list = await createTestApp();
      boss = await list.api.as({ id: 500, role: 'admin', name: 'Boss' });
      await createUser(boss, 'ann', { name: 'Ännchen' });
      await createUser(boss, 'Bob_1', { name: '100% Bob', role: 'admin' });
      await createUser(boss, 'bobx1', { name: 'Roberta 😀' });
      await createUser(boss, 'carol', { name: 'ЁЖИК' });
      await boss.put('/api/admin/users/4', { status: 0 });
    });
    afterAll(() => list?.close());

    const idsOf = async (query: string): Promise<number[]> => {
      const { body } = await boss.get(`/api/admin/users?${query}`);
      return (body.data.items as { id: number }[]).map(({ id }) => id);
    };

    it('returns a page of users by id', async () => {
      const response = await boss.get('/api/admin/users?page=2&per_page=2');
      expect(response.body.data).toEqual({
        items: [
          expect.objectContaining({ id: 3, account: 'bobx1', name: 'Roberta 😀' }),
          {
            id: 4,
            account: 'carol',
            external_id: null,
            online: false,
            last_seen_at: null,
            name: 'ЁЖИК',
            avatar: null,
            role: 'user',
            status: 0,
            created_at: '2026-01-31T08:00:00.000Z',
          },
        ],
        pagination: { total: 5, per_page: 2, current_page: 2, last_page: 3, has_more: true },
      });
      expect(response.headers['x-total-count']).toBe('5');
    });

    it('has 20 users per page, including external ones, and an empty page beyond the end', async () => {
      expect((await boss.get('/api/admin/users')).body.data.pagination.per_page).toBe(20);
      expect(await idsOf('')).toEqual([1, 2, 3, 4, 500]);
      const beyond = (await boss.get('/api/admin/users?page=9')).body.data;
      expect(beyond).toMatchObject({ items: [], pagination: { total: 5, last_page: 1, has_more: false } });
    });

    it.each([
      ['bob', [2, 3]],
      ['BOB', [2, 3]],
      ['roberta', [3]],
      ['ÄNN', [1]],
      ['ann', [1]],
      ['ann\u0308', []],
      ['ёж', [4]],
      ['Ж', [4]],
      ['😀', [3]],
      ['😁', []],
      ['%', [2]],
      ['_', [2]],
      ['bob_1', [2]],
      ['', [1, 2, 3, 4, 500]],
      ["'", []],
      ['\\', []],
    ])('finds %s in account or name', async (keyword, ids) => {
      expect(await idsOf(`keyword=${encodeURIComponent(keyword)}`)).toEqual(ids);
    });

    it('filters by role and status, alone and combined', async () => {
      expect(await idsOf('role=admin')).toEqual([2, 500]);
      expect(await idsOf('status=0')).toEqual([4]);
      expect(await idsOf('status=1&role=user')).toEqual([1, 3]);
      expect(await idsOf('status=1&role=admin&keyword=o')).toEqual([2, 500]);
    });

    it.each([
      ['page=0', 'page 不能小于 1'],
      ['per_page=101', 'per_page 不能大于 100'],
      ['page=x&role=root', 'page 必须是整数'],
      [`keyword=${'x'.repeat(101)}`, 'keyword 长度不能超过 100 个字符'],
      ['keyword=%00', 'keyword 取值无效'],
      ['role=root', 'role 取值无效'],
      ['status=2', 'status 取值无效'],
      ['status=x', 'status 必须是整数'],
    ])('rejects ?%.20s with 422', async (query, message) => {
      const response = await boss.get(`/api/admin/users?${query}`);
      expect(response.body).toEqual({ code: 422, message, data: null });
    });
  });
});
