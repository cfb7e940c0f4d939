import type { ApiClient } from '../support/api-client';
import { makeKey, postKey } from '../support/keys';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const NOT_FOUND = { code: 404, message: '密钥不存在', data: null };

describe('Administration of API keys', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await testUser(test.api, { id: 900_001, role: 'admin', name: 'Boss' });
  });
  beforeEach(() => test.query('DELETE FROM api_keys'));
  afterAll(() => test?.close());

  it('creates a key, whose text is only in that response', async () => {
    const response = await admin.post('/api/admin/keys', {
      name: 'CRM',
      scopes: ['users:write', 'tokens:issue', 'users:write'],
      expires_at: '2026-03-01T00:00:00+08:00',
      rate_per_minute: 50,
    });
    const { id, key, prefix, ...data } = response.body.data;
    expect(id).toEqual(expect.any(Number));
    expect(data).toEqual({
      name: 'CRM',
      scopes: ['users:write', 'tokens:issue'],
      expires_at: '2026-02-28T16:00:00.000Z',
      rate_per_minute: 50,
      last_used_at: null,
      created_by: { id: 900_001, name: 'Boss' },
      created_at: '2026-01-31T08:00:00.000Z',
    });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(key).toMatch(/^cbk_[a-z0-9]{8}_[A-Za-z0-9_-]{43}$/);
    expect(prefix).toBe(key.slice(0, 12));
    const list = await admin.get('/api/admin/keys');
    expect(list.body.data).toEqual({
      items: [{ ...data, id, prefix }],
      pagination: { total: 1, per_page: 20, current_page: 1, last_page: 1, has_more: false },
    });
    expect(list.headers['x-total-count']).toBe('1');
  });

  it('stores the SHA-256 of a key and not the key', async () => {
    const { key } = await makeKey(test.api, ['users:read']);
    const rows = (await test.query('SELECT * FROM api_keys')) as { hash: string }[];
    const secret = key.split('_').slice(2).join('_');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(rows[0]?.hash).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('uses the default rate and no expiry when they are omitted', async () => {
    const { id } = await makeKey(test.api, ['calls:read'], { expires_at: null });
    const [key] = (await admin.get('/api/admin/keys')).body.data.items;
    expect(key).toMatchObject({ id, rate_per_minute: 3_000, expires_at: null });
    const other = await createTestApp({ env: { API_KEY_RATE_PER_MINUTE: '7' } });
    expect((await postKey(other.api, { name: 'x', scopes: ['calls:read'] })).body.data.rate_per_minute).toBe(
      7,
    );
    await other.close();
  });

  it.each([
    [{}, 'name 字段不能为空'],
    [{ name: ' ' }, 'name 字段不能为空'],
    [{ name: 'x'.repeat(101) }, 'name 长度不能超过 100 个字符'],
    [{ name: 'x' }, 'scopes 字段不能为空'],
    [{ name: 'x', scopes: null }, 'scopes 字段不能为空'],
    [{ name: 'x', scopes: [] }, 'scopes 字段不能为空'],
    [{ name: 'x', scopes: 'users:read' }, 'scopes 必须是数组'],
    [{ name: 'x', scopes: ['users:read', 'users:all'] }, 'scopes 取值无效'],
    [{ name: 'x', scopes: ['*'] }, 'scopes 取值无效'],
    [{ name: 'x', scopes: [['users:read']] }, 'scopes 取值无效'],
    [{ name: 'x', scopes: ['users:read'], expires_at: 'soon' }, 'expires_at 取值无效'],
    [{ name: 'x', scopes: ['users:read'], expires_at: '2026-01-31T08:00:00Z' }, 'expires_at 取值无效'],
    [{ name: 'x', scopes: ['users:read'], expires_at: 5 }, 'expires_at 必须是字符串'],
    [{ name: 'x', scopes: ['users:read'], rate_per_minute: 0 }, 'rate_per_minute 不能小于 1'],
    [{ name: 'x', scopes: ['users:read'], rate_per_minute: 100_001 }, 'rate_per_minute 不能大于 100000'],
    [{ name: 'x', scopes: ['users:read'], rate_per_minute: '5' }, 'rate_per_minute 必须是整数'],
  ])('rejects %j', async (body, message) => {
    expect((await postKey(test.api, body)).body).toEqual({ code: 422, message, data: null });
    expect((await admin.get('/api/admin/keys')).body.data.items).toEqual([]);
  });

  it('changes only the given fields', async () => {
    const { id } = await makeKey(test.api, ['users:read'], { expires_at: '2026-03-01T00:00:00Z' });
    const path = `/api/admin/keys/${id}`;
    const [before] = (await admin.get('/api/admin/keys')).body.data.items;
    expect((await admin.put(path, {})).body.data).toEqual(before);
    const renamed = await admin.put(path, { name: 'Shop', scopes: ['audit:read', 'calls:read'] });
    // In the order of the specification.
    const after = { ...before, name: 'Shop', scopes: ['calls:read', 'audit:read'] };
    expect(renamed.body.data).toEqual(after);
    const endless = await admin.put(path, { expires_at: null, rate_per_minute: 9 });
    expect(endless.body.data).toEqual({ ...after, expires_at: null, rate_per_minute: 9 });
    const refused = await admin.put(path, { name: 'Other', expires_at: '2026-01-30T00:00:00Z' });
    expect(refused.body).toEqual({ code: 422, message: 'expires_at 取值无效', data: null });
    expect((await admin.put(path, { scopes: [] })).body.message).toBe('scopes 字段不能为空');
    expect((await admin.put(path, { name: '' })).body.message).toBe('name 字段不能为空');
    expect((await admin.get('/api/admin/keys')).body.data.items).toEqual([endless.body.data]);
  });

  it('revokes a key once, and does not reuse its id', async () => {
    const { id } = await makeKey(test.api, ['users:read']);
    expect((await admin.delete(`/api/admin/keys/${id}`)).body).toEqual({
      code: 0,
      message: '操作成功',
      data: null,
    });
    expect((await admin.delete(`/api/admin/keys/${id}`)).body).toEqual(NOT_FOUND);
    expect((await admin.put(`/api/admin/keys/${id}`, { name: 'x' })).body).toEqual(NOT_FOUND);
    expect((await admin.put(`/api/admin/keys/${id}`, {})).body).toEqual(NOT_FOUND);
    expect((await admin.delete('/api/admin/keys/0')).body.message).toBe('id 必须是整数');
    expect((await makeKey(test.api, ['users:read'])).id).toBe(id + 1);
  });

  it('lists keys by id in pages, with the current name of their creator', async () => {
    const chief = await test.api.as({ id: 900_002, role: 'admin', name: 'Second' });
    for (const name of ['a', 'b', 'c']) await chief.post('/api/admin/keys', { name, scopes: ['users:read'] });
    await chief.put('/api/auth/me', { name: 'Chief' });
    const page = await admin.get('/api/admin/keys?page=2&per_page=2');
    expect(page.body.data.items.map(({ name }: { name: string }) => name)).toEqual(['c']);
    expect(page.body.data.items[0].created_by).toEqual({ id: 900_002, name: 'Chief' });
    expect(page.body.data.pagination).toMatchObject({ total: 3, last_page: 2 });
  });
});
