import type { ApiClient } from '../support/api-client';
import { stopJobs } from '../support/jobs';
import { clientWithKey, makeKey, type CreatedKey } from '../support/keys';
import { eventually } from '../support/service-process';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { redisIsAvailable, ThrowawayRedis } from '../support/throwaway-redis';

const USERS = '/api/admin/users';

describe('API keys on two instances', () => {
  let one: TestApp;
  let two: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    one = await createTestApp();
    two = await createTestApp({ database: one.database, clock: one.clock });
    admin = await one.api.as({ id: 900_001, role: 'admin' });
  });
  beforeEach(async () => {
    one.clock.set(START);
    await one.query('DELETE FROM api_keys');
  });
  afterAll(async () => {
    await two?.close();
    await one?.close();
  });

  const onTwo = async ({ key }: CreatedKey): Promise<number> =>
    (await two.api.withToken(key).get(USERS)).status;

  it('are valid everywhere as soon as they are created', async () => {
    expect(await onTwo(await makeKey(one.api, ['users:read']))).toBe(200);
  });

  it('are rejected within ten seconds once they are revoked', async () => {
    const key = await makeKey(one.api, ['users:read']);
    expect(await onTwo(key)).toBe(200);
    await admin.delete(`/api/admin/keys/${key.id}`);
    one.clock.advance(10);
    expect(await onTwo(key)).toBe(401);
  });

  it('are read from the database every ten seconds, regardless of use', async () => {
    const key = await makeKey(one.api, ['users:read']);
    await onTwo(key);
    await admin.delete(`/api/admin/keys/${key.id}`);
    const statuses: number[] = [];
    for (let second = 1; second <= 10; second += 1) {
      one.clock.advance(1);
      statuses.push(await onTwo(key));
    }
    expect(statuses.at(-1)).toBe(401);
  });

  it('are rejected after the response of the revocation on that instance, also by requests in progress', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id, key } = await makeKey(one.api, ['users:read']);
      const client = one.api.withToken(key);
      const ask = async (): Promise<number> => (await client.get(USERS)).status;
      const [first, second, revoked] = await Promise.all([
        ask(),
        ask(),
        admin.delete(`/api/admin/keys/${id}`),
      ]);
      expect([200, 401]).toContain(first);
      expect([200, 401]).toContain(second);
      expect(revoked.status).toBe(200);
      expect(await ask()).toBe(401);
    }
  });

  it('lose a scope, and get an expiry and a rate within ten seconds', async () => {
    const key = await makeKey(one.api, ['users:read']);
    expect(await onTwo(key)).toBe(200);
    await admin.put(`/api/admin/keys/${key.id}`, { scopes: ['calls:read'] });
    one.clock.advance(10);
    expect(await onTwo(key)).toBe(403);
    const end = new Date(one.clock.now().getTime() + 11_000).toISOString();
    await admin.put(`/api/admin/keys/${key.id}`, { scopes: ['users:read'], expires_at: end });
    one.clock.advance(10);
    expect(await onTwo(key)).toBe(200);
    one.clock.advance(1);
    expect(await onTwo(key)).toBe(401);
  });

  it('have the last use time of either instance', async () => {
    await stopJobs(one, two);
    const key = await makeKey(one.api, ['users:read']);
    const last = async () => (await admin.get('/api/admin/keys')).body.data.items[0].last_used_at;
    one.clock.advance(5);
    await onTwo(key);
    one.clock.advance(-2);
    await one.api.withToken(key.key).get(USERS);
    expect(await last()).toBe('2026-01-31T08:00:03.000Z');
    await two.close();
    expect(await last()).toBe('2026-01-31T08:00:05.000Z');
    await one.api.withToken(key.key).get(USERS);
    // A later time is not replaced by an earlier one.
    expect(await last()).toBe('2026-01-31T08:00:05.000Z');
    two = await createTestApp({ database: one.database, clock: one.clock });
  });
});

if (redisIsAvailable()) {
  describe('The rate limit of an API key, with Redis', () => {
    it('is shared by all instances', async () => {
      const redis = await ThrowawayRedis.start();
      const env = { REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: '1000' };
      const one = await createTestApp({ env });
      const two = await createTestApp({ env, database: one.database, clock: one.clock });
      for (const { api } of [one, two])
        await eventually(
          () => api.get('/health/ready'),
          ({ status }) => status === 200,
        );
      const onOne = await clientWithKey(one.api, ['users:read'], { rate_per_minute: 12 });
      const onTwo = two.api.with(onOne.headers);
      const responses = await Promise.all(
        [onOne, onTwo].flatMap((client) => Array.from({ length: 10 }, () => client.get(USERS))),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(12);
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(8);
      await two.close();
      await one.close();
      await redis.stop();
    });
  });
}
