import { createUser, PASSWORD } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';

const USERS = '/api/admin/users';
const TAKEN = { code: 409, message: '外部标识已存在', data: null };

describe('The external id of a user', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 900_001, role: 'admin' });
  });
  afterAll(() => test?.close());

  const post = (account: string, external_id: unknown) =>
    admin.post(USERS, { account, password: PASSWORD, name: account, external_id });
  const found = async (external_id: string): Promise<string[]> => {
    const { body } = await admin.get(`${USERS}?external_id=${encodeURIComponent(external_id)}`);
    return body.data.items.map(({ account }: { account: string }) => account);
  };

  it('is part of the record, and finds the user by the exact value', async () => {
    const { data } = (await post('ann', 'Crm-1')).body;
    expect(data).toMatchObject({ account: 'ann', external_id: 'Crm-1' });
    expect((await admin.get(`${USERS}/${data.id}`)).body.data.external_id).toBe('Crm-1');
    await post('ben', 'crm-1');
    await post('cat', 'crm-1 ');
    await post('dan', 'crm-é');
    await post('eve', 'crm-e\u0301');
    expect(await found('Crm-1')).toEqual(['ann']);
    expect(await found('crm-1')).toEqual(['ben']);
    expect(await found('crm-1 ')).toEqual(['cat']);
    expect(await found('crm-e\u0301')).toEqual(['eve']);
    expect(await found('crm')).toEqual([]);
    expect(await found('%')).toEqual([]);
  });

  it('is null by default', async () => {
    const id = await createUser(admin, 'plain', { external_id: '' });
    expect((await admin.get(`${USERS}/${id}`)).body.data.external_id).toBeNull();
    const again = await createUser(admin, 'plain-too', { external_id: null });
    expect((await admin.get(`${USERS}/${again}`)).body.data.external_id).toBeNull();
  });

  it('is unique', async () => {
    await post('first', 'only');
    const second = await post('second', 'only');
    expect([second.status, second.body]).toEqual([409, TAKEN]);
    expect((await post('First', 'only')).body.message).toBe('账号已存在');
    const id = await createUser(admin, 'third');
    expect((await admin.put(`${USERS}/${id}`, { external_id: 'only' })).body).toEqual(TAKEN);
    const responses = await Promise.all([1, 2, 3, 4, 5].map((index) => post(`racer-${index}`, 'race')));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409,
    ]);
  });

  it('is changed, kept and removed by a PUT', async () => {
    const id = await createUser(admin, 'changing', { external_id: 'one' });
    const put = async (body: object) => (await admin.put(`${USERS}/${id}`, body)).body;
    expect((await put({ external_id: 'one' })).data.external_id).toBe('one');
    expect((await put({ external_id: 'two' })).data.external_id).toBe('two');
    expect((await put({ name: 'Changed' })).data.external_id).toBe('two');
    expect(await found('one')).toEqual([]);
    expect((await put({ external_id: null })).data.external_id).toBeNull();
    expect(await found('two')).toEqual([]);
    expect((await post('heir', 'two')).status).toBe(200);
    expect((await put({ external_id: '' })).message).toBe('external_id 字段不能为空');
  });

  it.each([
    ['x'.repeat(129), 'external_id 长度不能超过 128 个字符'],
    ['a\0b', 'external_id 取值无效'],
    [7, 'external_id 必须是字符串'],
  ])('is rejected when it is %.20j', async (external_id, message) => {
    expect((await post('refused', external_id)).body).toEqual({ code: 422, message, data: null });
    const id = await createUser(admin, `put-${message.length}-${typeof external_id}-${message.slice(-3)}`);
    expect((await admin.put(`${USERS}/${id}`, { external_id })).body.message).toBe(message);
  });

  it('has at most 128 characters of any script', async () => {
    expect((await post('long', '😀'.repeat(128))).body.data.external_id).toBe('😀'.repeat(128));
    expect(await found('😀'.repeat(128))).toEqual(['long']);
  });

  it('of a provider with an issuer is neither shown nor changed here', async () => {
    await test.query(
      `INSERT INTO users (id, issuer, external_id, name, name_key, discoverable, presence_visible, role, status, created_at)
       VALUES (700001, 'https://sso.example', 'theirs', 'Theirs', 'theirs', 1, 1, 'user', 1, '2026-01-31 08:00:00.000')`,
    );
    expect((await admin.get(`${USERS}/700001`)).body.data.external_id).toBeNull();
    expect(await found('theirs')).toEqual([]);
    const rejection = { code: 422, message: 'external_id 取值无效', data: null };
    expect((await admin.put(`${USERS}/700001`, { external_id: 'ours' })).body).toEqual(rejection);
    expect((await admin.put(`${USERS}/700001`, { external_id: null })).body).toEqual(rejection);
    expect((await admin.put(`${USERS}/700001`, { name: 'Still theirs' })).status).toBe(200);
    expect((await post('ours', 'theirs')).body.data.external_id).toBe('theirs');
  });
});
