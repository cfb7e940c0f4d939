import { createUser, login } from '../support/accounts';
import type { ApiResponse, ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { AGORA_SECRET, agoraBody, postAgora } from '../support/media-webhooks';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';
import { redisIsAvailable, ThrowawayRedis } from '../support/throwaway-redis';

const TOO_MANY = { code: 429, message: '请求过于频繁', data: null };

const from = (api: ApiClient, address: string): ApiClient => api.with({ 'x-forwarded-for': address });

async function statusesOf(count: number, ask: () => Promise<ApiResponse>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await ask()).status);
  return statuses;
}

describe('The rate limit on failed log-ins', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp({ env: { TRUST_PROXY: 'true' } });
    const admin = await test.api.as({ id: 900_001, role: 'admin' });
    for (const account of ['ann', 'bob', 'cat', 'dan', 'eve']) await createUser(admin, account);
  });
  afterAll(() => test?.close());

  it('is ten per account in 15 minutes, regardless of address, case and a correct password', async () => {
    for (let guess = 1; guess <= 10; guess += 1) {
      const account = guess % 2 ? 'ann' : 'ANN';
      expect((await login(from(test.api, `192.0.2.${guess}`), account, 'wrong')).status).toBe(401);
    }
    const refused = await login(from(test.api, '198.51.100.1'), 'Ann');
    expect(refused.body).toEqual(TOO_MANY);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('900');
    test.clock.advance(899.5);
    expect((await login(test.api, 'ann')).headers['retry-after']).toBe('1');
    test.clock.advance(0.5);
    expect((await login(test.api, 'ann')).status).toBe(200);
  });

  it('counts failures, not successes, and neither resets the other', async () => {
    const api = from(test.api, '203.0.113.1');
    expect(await statusesOf(9, () => login(api, 'bob', 'wrong'))).toEqual(Array(9).fill(401));
    expect(await statusesOf(12, () => login(api, 'bob'))).toEqual(Array(12).fill(200));
    expect((await login(api, 'bob', 'wrong')).status).toBe(401);
    expect((await login(api, 'bob')).status).toBe(429);
  });

  it('applies to unknown accounts as well', async () => {
    const api = from(test.api, '203.0.113.2');
    expect(await statusesOf(11, () => login(api, 'nobody'))).toEqual([...Array(10).fill(401), 429]);
  });

  it('is fifty per address, regardless of the account', async () => {
    const api = from(test.api, '203.0.113.3');
    for (let guess = 1; guess <= 50; guess += 1) {
      expect((await login(api, `guess-${guess}`, 'wrong')).status).toBe(401);
    }
    expect((await login(api, 'cat')).body).toEqual(TOO_MANY);
    expect((await login(from(test.api, '203.0.113.4'), 'cat')).status).toBe(200);
  });

  it('treats the addresses of an IPv6 network as one', async () => {
    for (let guess = 1; guess <= 50; guess += 1) {
      await login(from(test.api, `2001:db8::${guess}`), `v6-${guess}`, 'wrong');
    }
    expect((await login(from(test.api, '2001:db8::ffff'), 'dan')).status).toBe(429);
    expect((await login(from(test.api, '2001:db8:0:1::1'), 'dan')).status).toBe(200);
  });

  it('uses X-Forwarded-For only with TRUST_PROXY', async () => {
    const direct = await createTestApp();
    for (let guess = 1; guess <= 50; guess += 1) {
      await login(from(direct.api, `192.0.2.${guess}`), `direct-${guess}`, 'wrong');
    }
    expect((await login(from(direct.api, '198.51.100.9'), 'eve')).status).toBe(429);
    await direct.close();
  });

  it('does not count invalid requests', async () => {
    const api = from(test.api, '203.0.113.5');
    expect(await statusesOf(60, () => test.api.post('/api/auth/login', { account: 'eve' }))).toEqual(
      Array(60).fill(422),
    );
    expect((await login(api, 'eve')).status).toBe(200);
  });
});

describe('The rate limit on requests', () => {
  let test: TestApp;
  let user: ApiClient;
  beforeAll(async () => {
    test = await createTestApp({ env: { RATE_LIMIT_PER_MINUTE: '5', TRUST_PROXY: 'true' } });
  });
  // Every test has its own user and addresses, without earlier requests.
  beforeEach(async () => {
    user = await newUser();
  });
  afterAll(() => test?.close());
  const newUser = (): Promise<ApiClient> => test.api.as({ id: newUserIds(1)[0] ?? 0 });

  it('applies per user and minute, from any address, and then returns 429 until the minute ends', async () => {
    const me = () => user.get('/api/auth/me');
    expect(await statusesOf(5, me)).toEqual(Array(5).fill(200));
    test.clock.advance(20);
    const refused = await from(user, '192.0.2.5').get('/api/auth/me');
    expect(refused.body).toEqual(TOO_MANY);
    expect(refused.headers['retry-after']).toBe('40');
    expect((await (await newUser()).get('/api/auth/me')).status).toBe(200);
    test.clock.advance(40);
    expect((await me()).status).toBe(200);
  });

  it('counts rejected requests: 401 by address, 403, 404 and 422 by user', async () => {
    const refused = [
      () => user.get('/api/nothing'),
      () => user.get('/api/admin/users'),
      () => user.put('/api/auth/password', {}),
      () => user.send('PUT', '/api/auth/password', '{'),
      () => user.get('/api/nothing/either'),
    ];
    const statuses = [];
    for (const ask of refused) statuses.push((await ask()).status);
    expect(statuses).toEqual([404, 403, 422, 400, 404]);
    expect((await user.get('/api/auth/me')).status).toBe(429);

    const forger = from(test.api.withToken('junk'), '192.0.2.1');
    expect(await statusesOf(6, () => forger.get('/api/auth/me'))).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await from(test.api, '192.0.2.1').get('/api/nothing')).body).toEqual(TOO_MANY);
    expect((await from(test.api, '192.0.2.2').get('/api/nothing')).status).toBe(401);
  });

  it('counts a request with ids once for each five of them, also when it is rejected', async () => {
    const path = '/api/messages/conversations';
    const ids = (count: number) => Array.from({ length: count }, (_, index) => 1_000 + index);
    const create = (count: number) => user.post(path, { type: 'group', name: 'x', member_ids: ids(count) });
    // The requests count as 1 and 3 of the 5, although the ids are unknown.
    expect(await statusesOf(1, () => create(5))).toEqual([422]);
    expect(await statusesOf(1, () => create(11))).toEqual([422]);
    expect(await statusesOf(2, () => user.get('/api/auth/me'))).toEqual([200, 429]);

    const adder = await test.api.as({ id: 2 });
    const add = await adder.post(`${path}/1/members`, { user_ids: ids(21) });
    expect(add.status).toBe(403);
    const refused = await adder.get('/api/auth/me');
    expect([refused.status, refused.body, refused.headers['retry-after']]).toEqual([429, TOO_MANY, '60']);
  });

  it('accepts a request that costs more than the limit, and nothing after it', async () => {
    const member_ids = Array.from({ length: 500 }, (_, index) => 1_000 + index);
    const create = () => user.post('/api/messages/conversations', { type: 'group', name: 'x', member_ids });
    expect(await statusesOf(2, create)).toEqual([422, 429]);
    test.clock.advance(60);
    expect(await statusesOf(1, create)).toEqual([422]);
  });

  it('counts public paths by address', async () => {
    const api = from(test.api, '192.0.2.3');
    const statuses = await statusesOf(6, () => api.post('/api/auth/logout', { refresh_token: 'x' }));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('counts unknown paths and documents outside /api by address', async () => {
    const api = from(test.api, '192.0.2.4');
    const statuses = [];
    for (const path of ['/elsewhere', '/docs-json', '/.env', '/apis', '/health', '/metrics/x']) {
      statuses.push((await api.get(path)).status);
    }
    expect(statuses).toEqual([404, 200, 404, 404, 404, 429]);
    expect((await api.get('/api/auth/me')).status).toBe(429);
  });

  it('counts an unknown path below /api once', async () => {
    const statuses = await statusesOf(6, () => user.get('/api/nothing?x=/api'));
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429]);
  });

  it('does not count signed media webhooks, and counts unsigned ones by address', async () => {
    const media = await createTestApp({
      env: { RATE_LIMIT_PER_MINUTE: '5', AGORA_WEBHOOK_SECRET: AGORA_SECRET },
    });
    const signed = () =>
      postAgora(media.api, agoraBody({ eventType: 103, channelName: 'unknown', uid: 1, clientSeq: 1 }));
    const forged = () => postAgora(media.api, '{}', { 'agora-signature-v2': 'ab' });
    expect(await statusesOf(20, signed)).toEqual(Array(20).fill(200));
    expect(await statusesOf(6, forged)).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await forged()).body).toEqual(TOO_MANY);
    expect((await media.api.get('/api/auth/me')).status).toBe(429);
    expect(await statusesOf(5, signed)).toEqual(Array(5).fill(200));
    await media.close();
  });

  it('does not count health and metrics', async () => {
    expect(await statusesOf(20, () => test.api.get('/health/live'))).toEqual(Array(20).fill(200));
    expect(await statusesOf(20, () => test.api.get('/metrics'))).toEqual(Array(20).fill(200));
    expect((await test.api.get('/api/auth/me')).status).toBe(401);
  });

  it('is disabled by 0, which keeps the limit on log-ins', async () => {
    const open = await createTestApp({ env: { RATE_LIMIT_PER_MINUTE: '0' } });
    const someone = await open.api.as({ id: 1 });
    expect(new Set(await statusesOf(50, () => someone.get('/api/auth/me')))).toEqual(new Set([200]));
    expect(await statusesOf(11, () => login(open.api, 'x'))).toEqual([...Array(10).fill(401), 429]);
    await open.close();
  });
});

if (redisIsAvailable()) {
  describe('Rate limits with Redis', () => {
    let redis: ThrowawayRedis;
    let one: TestApp;
    let two: TestApp;
    const start = async (redisWithinMs?: number): Promise<void> => {
      redis = await ThrowawayRedis.start();
      const env = { REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: '30' };
      one = await createTestApp({ env, redisWithinMs });
      two = await createTestApp({ env, redisWithinMs, database: one.database, clock: one.clock });
      for (const { api } of [one, two]) {
        await eventually(
          () => api.get('/health/ready'),
          ({ status }) => status === 200,
        );
      }
    };
    afterEach(async () => {
      await two?.close();
      await one?.close();
      await redis?.stop();
    });

    it('are shared by all instances', async () => {
      await start();
      const clients = await Promise.all([one, two].map(({ api }) => api.as({ id: 1 })));
      const responses = await Promise.all(
        clients.flatMap((client) => Array.from({ length: 20 }, () => client.get('/api/auth/me'))),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(30);
      const refused = responses.find(({ status }) => status === 429);
      // The window is in Redis, which uses the real time.
      expect(refused?.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
    });

    it('on log-in are shared too', async () => {
      await start();
      const boss = await one.api.as({ id: 900_001, role: 'admin' });
      await createUser(boss, 'shared');
      const attempts = [one, two].flatMap(({ api }) =>
        Array.from({ length: 6 }, () => login(api, 'shared', 'wrong')),
      );
      const statuses = (await Promise.all(attempts)).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array(10).fill(401), 429, 429]);
      expect((await login(two.api, 'shared')).status).toBe(429);
    });

    it.each(['gone', 'silent'])(
      'apply on each instance when Redis is %s, and requests succeed',
      async (state) => {
        await start(1_000);
        const user = await one.api.as({ id: 2 });
        expect((await user.get('/api/auth/me')).status).toBe(200);
        if (state === 'gone') await redis.stop();
        else redis.freeze();
        expect(await statusesOf(31, () => user.get('/api/auth/me'))).toEqual([...Array(30).fill(200), 429]);
        const ready = await one.api.get('/health/ready');
        expect(ready.body).toEqual({ status: 'unavailable', checks: { database: 'up', redis: 'down' } });
      },
    );
  });
}
