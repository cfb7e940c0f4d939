import type { ApiResponse, ApiClient } from '../support/api-client';
import { clientWithKey, makeKey } from '../support/keys';
import { createTestApp, type TestApp } from '../support/test-app';

const UNAUTHORIZED = { code: 401, message: '未授权,请先登录', data: null };
const FORBIDDEN = { code: 403, message: '无权限', data: null };
const USERS = '/api/admin/users';

const statusesOf = async (count: number, ask: () => Promise<ApiResponse>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await ask()).status);
  return statuses;
};

describe('An API key', () => {
  let test: TestApp;
  let admin: ApiClient;
  let refusedBefore: Record<string, number>;
  beforeAll(async () => {
    test = await createTestApp({ env: { RATE_LIMIT_PER_MINUTE: '5', TRUST_PROXY: 'true' } });
    admin = (await test.api.as({ id: 900_001, role: 'admin' })).with({ 'x-forwarded-for': '198.51.100.1' });
  });
  beforeEach(async () => {
    // Requests of the previous test no longer count towards the limits.
    test.clock.advance(60);
    await test.query('DELETE FROM api_keys');
    refusedBefore = await allReasons();
  });
  afterAll(() => test?.close());

  const allReasons = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      Array.from(
        (await test.api.get('/metrics')).text.matchAll(
          /^callboard_auth_refused_total\{reason="([^"]+)"\} (\d+)$/gm,
        ),
        ([, reason, count]) => [reason, Number(count)],
      ),
    );
  /** Returns the number of requests that were rejected since the start of the test, by reason. */
  const reasons = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      Object.entries(await allReasons())
        .map(([reason, count]) => [reason, count - (refusedBefore[reason] ?? 0)] as const)
        .filter(([, count]) => count > 0),
    );

  it('returns the same 401 when it is unknown, malformed or revoked', async () => {
    const { id, key } = await makeKey(test.api, ['users:read']);
    const changed = key[20] === 'A' ? 'B' : 'A';
    const wrong = [
      'cbk_',
      `${key}A`,
      key.slice(0, -1),
      key.replace('cbk_', 'cbk_x'),
      `${key.slice(0, 20)}${changed}${key.slice(21)}`,
      key.toUpperCase(),
    ];
    for (const [index, text] of wrong.entries()) {
      const client = test.api.withToken(text).with({ 'x-forwarded-for': `192.0.2.${index}` });
      expect((await client.get(USERS)).body).toEqual(UNAUTHORIZED);
      expect((await client.get('/api/calls')).body).toEqual({ code: 401, message: '未授权', data: null });
    }
    await admin.delete(`/api/admin/keys/${id}`);
    expect((await test.api.withToken(key).get(USERS)).body).toEqual(UNAUTHORIZED);
    expect(await reasons()).toEqual({ 'api key unknown': 11, malformed: 2 });
  });

  it('is accepted only in the header, and only in its form', async () => {
    const { key } = await makeKey(test.api, ['users:read']);
    expect((await test.api.get(`${USERS}?key=${key}&access_token=${key}`)).status).toBe(401);
    for (const authorization of [key, `Basic ${key}`, `Bearer ${key} x`, `Bearer ${key},Bearer x`])
      expect((await test.api.with({ authorization }).get(USERS)).status).toBe(401);
    expect(
      (await test.api.with({ authorization: `bearer  ${key}`, 'x-forwarded-for': '192.0.2.9' }).get(USERS))
        .status,
    ).toBe(200);
  });

  it('expires to the millisecond', async () => {
    const client = await clientWithKey(test.api, ['users:read'], { expires_at: '2026-02-01T08:00:05.250Z' });
    expect((await client.get(USERS)).status).toBe(200);
    test.clock.set('2026-02-01T08:00:05.249Z');
    expect((await client.get(USERS)).status).toBe(200);
    test.clock.set('2026-02-01T08:00:05.250Z');
    expect((await client.get(USERS)).body).toEqual(UNAUTHORIZED);
    expect(await reasons()).toEqual({ 'api key expired': 1 });
  });

  it('is changed and revoked immediately on the instance that receives the request', async () => {
    const { id, key } = await makeKey(test.api, ['users:read']);
    const client = test.api.withToken(key);
    expect((await client.get(USERS)).status).toBe(200);
    await admin.put(`/api/admin/keys/${id}`, { scopes: ['calls:read'] });
    expect((await client.get(USERS)).body).toEqual(FORBIDDEN);
    await admin.put(`/api/admin/keys/${id}`, { scopes: ['users:write'] });
    expect((await client.get(USERS)).status).toBe(200);
    await admin.delete(`/api/admin/keys/${id}`);
    expect((await client.get(USERS)).body).toEqual(UNAUTHORIZED);
  });

  it('has a rate limit independent of the address and of its users', async () => {
    const slow = await clientWithKey(test.api, ['users:read'], { rate_per_minute: 3 });
    const quick = await clientWithKey(test.api, ['users:read'], { rate_per_minute: 8 });
    expect(await statusesOf(9, () => quick.get(USERS))).toEqual([...Array(8).fill(200), 429]);
    const anonymous = () => test.api.get('/api/auth/me');
    expect(await statusesOf(6, anonymous)).toEqual([401, 401, 401, 401, 401, 429]);
    // The address is over its limit, so the body of an unauthenticated request is not read.
    expect(await statusesOf(2, () => slow.get(USERS))).toEqual([200, 200]);
    expect((await slow.get('/api/calls')).status).toBe(403);
    test.clock.advance(20);
    const refused = await slow.get(USERS);
    expect(refused.body).toEqual({ code: 429, message: '请求过于频繁', data: null });
    expect(refused.headers['retry-after']).toBe('40');
    test.clock.advance(40);
    expect((await slow.get(USERS)).status).toBe(200);
  });

  it('can have no rate limit', async () => {
    const open = await createTestApp({ env: { RATE_LIMIT_PER_MINUTE: '0' } });
    const client = await clientWithKey(open.api, ['users:read'], { rate_per_minute: 1 });
    expect(await statusesOf(3, () => client.get(USERS))).toEqual([200, 200, 200]);
    await open.close();
  });

  it('counts against its address when it is forged', async () => {
    const created = test.api
      .withToken(`cbk_abcdefgh_${'A'.repeat(43)}`)
      .with({ 'x-forwarded-for': '192.0.2.7' });
    expect(await statusesOf(6, () => created.get(USERS))).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('has a last use time, and is counted by its id', async () => {
    test.clock.set('2026-02-02T08:00:00.000Z');
    const { id, key } = await makeKey(test.api, ['users:read']);
    await makeKey(test.api, ['users:read']);
    const used = async () =>
      (await admin.get('/api/admin/keys')).body.data.items.map(
        ({ last_used_at }: { last_used_at: string | null }) => last_used_at,
      );
    expect(await used()).toEqual([null, null]);
    test.clock.advance(10);
    await test.api.withToken(key).get(USERS);
    test.clock.advance(2);
    await test.api.withToken(key).get('/api/calls');
    expect(await used()).toEqual(['2026-02-02T08:00:12.000Z', null]);
    const metrics = (await test.api.get('/metrics')).text;
    expect(metrics).toContain(`callboard_key_requests_total{key="${id}",status="200"} 1`);
    expect(metrics).toContain(`callboard_key_requests_total{key="${id}",status="403"} 1`);
  });

  it('is ignored by public routes', async () => {
    const client = await clientWithKey(test.api, ['users:read']);
    expect((await client.post('/api/auth/login', {})).body.message).toBe('account 字段不能为空');
    expect((await client.get('/health/live')).status).toBe(200);
  });
});
