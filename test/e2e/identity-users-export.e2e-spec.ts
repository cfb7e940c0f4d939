import { createUser } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';

const USERS = '/api/admin/users';
const EXPORT = `${USERS}/export`;

describe('The export of users', () => {
  let test: TestApp;
  let boss: ApiClient;
  beforeEach(async () => {
    test = await createTestApp();
    boss = await test.api.as({ id: 500, role: 'admin', name: '=1+1' });
    await createUser(boss, 'ann', { name: 'Ännchen' });
  });
  afterEach(() => test?.close());

  const rowsOf = async (query = ''): Promise<{ id: number; name: string }[]> =>
    (await boss.get(`${EXPORT}?${query}`)).text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { id: number; name: string });

  it('has one JSON record per line, as in the list', async () => {
    const { items } = (await boss.get(USERS)).body.data;
    const { status, headers } = await boss.get(EXPORT);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="users.ndjson"',
      'cache-control': 'no-store',
    });
    expect(await rowsOf()).toEqual(items);
    expect(items).toHaveLength(2);
  });

  it('has CSV with one column per field, without formulas in names', async () => {
    const lines = (await boss.get(`${EXPORT}?format=csv`)).text.split('\r\n');
    expect(lines).toEqual([
      '\uFEFFid,account,name,avatar,role,status,created_at,external_id,online,last_seen_at',
      '1,ann,Ännchen,,user,1,2026-01-31T08:00:00.000Z,,false,',
      "500,,'=1+1,,admin,1,2026-01-31T08:00:00.000Z,,false,",
      '',
    ]);
    const [user = {}] = await rowsOf();
    expect(lines[0]?.slice(1).split(',').toSorted()).toEqual(Object.keys(user).toSorted());
  });

  it('contains each of many users once, and applies the filters of the list', async () => {
    for (const hundreds of ['a', 'b', 'c'])
      await boss.post(`${USERS}/bulk`, {
        users: Array.from({ length: 401 }, (_, index) => ({
          external_id: `${hundreds}-${index}`,
          name: `${hundreds.toUpperCase()} ${index}`,
          status: index % 2,
        })),
      });
    const ids = (await rowsOf()).map(({ id }) => id);
    expect(ids).toHaveLength(1_205);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    const namesOf = async (query: string) => (await rowsOf(query)).map(({ name }) => name);
    expect(await namesOf('keyword=b%2040&status=0')).toEqual(['B 40', 'B 400']);
    expect(await namesOf('external_id=c-7')).toEqual(['C 7']);
    expect(await namesOf('role=admin')).toEqual(['=1+1']);
    expect(await namesOf('online=1')).toEqual([]);
    expect(await namesOf('from=2100-01-01')).toEqual([]);
  });

  it('returns errors in the envelope', async () => {
    for (const [query, message] of [
      ['format=xml', 'format 取值无效'],
      ['status=2', 'status 取值无效'],
    ] as const) {
      const { status, body } = await boss.get(`${EXPORT}?${query}`);
      expect([status, body]).toEqual([422, { code: 422, message, data: null }]);
    }
  });
});
