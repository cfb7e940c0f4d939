import type { AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { TIMINGS } from '../../src/common/timings';
import { createCall } from '../support/calls';
import { onMysql, type TestDatabase } from '../support/database';
import { EventReader } from '../support/event-reader';
import { stopJobs } from '../support/jobs';
import { scrape } from '../support/metrics';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';
import { NEVER_MS } from '../support/timings';
import { startMariadb } from '../support/throwaway-mariadb.js';
import { redisIsAvailable, ThrowawayRedis } from '../support/throwaway-redis';

const count = (method: string, route: string, status: number): string =>
  `callboard_http_request_seconds_count{method="${method}",route="${route}",status="${status}"}`;

if (redisIsAvailable()) {
  it('Metrics include the state of Redis', async () => {
    const redis = await ThrowawayRedis.start();
    const test = await createTestApp({ env: { REDIS_URL: redis.url } });
    const up = async () => (await scrape(test.api)).callboard_redis_up;
    expect(await eventually(up, (state) => state === 1)).toBe(1);
    await redis.stop();
    expect(await eventually(up, (state) => state === 0)).toBe(0);
    await test.close();
    const without = await createTestApp();
    expect(await scrape(without.api)).not.toHaveProperty('callboard_redis_up');
    await without.close();
  });
}

describe('GET /metrics', () => {
  const start = (env: NodeJS.ProcessEnv): Promise<TestApp> => createTestApp({ env });

  it('requires METRICS_TOKEN when it is set', async () => {
    const test = await start({ METRICS_TOKEN: 'scrape-me' });
    const refused = await test.api.get('/metrics');
    expect([refused.status, refused.body]).toEqual([401, { code: 401, message: '未授权', data: null }]);
    expect((await test.api.withToken('scrape-m').get('/metrics')).status).toBe(401);
    const response = await test.api.withToken('scrape-me').get('/metrics');
    expect(response.status).toBe(200);
    expect(response.text).toContain('callboard_auth_refused_total{reason="metrics token"} 2');
    await test.close();
  });

  it('caches the response for METRICS_MAX_AGE_MS', async () => {
    const test = await start({ METRICS_MAX_AGE_MS: '60000' });
    const first = await test.api.get('/metrics');
    await test.api.get('/elsewhere');
    const second = await test.api.with({ 'accept-encoding': 'gzip' }).get('/metrics');
    expect(second.headers['content-encoding']).toBe('gzip');
    expect(second.headers.etag).toBe(first.headers.etag);
    expect((await test.api.get('/metrics')).text).toBe(first.text);
    await test.close();
  });
});

describe('Metrics', () => {
  let test: TestApp;
  beforeEach(async () => {
    // Waits for all metrics, regardless of the speed of the machine.
    TIMINGS.gaugeWithinMs = NEVER_MS;
    test = await createTestApp();
  });
  afterEach(() => test?.close());

  it('are in the Prometheus format, public, and include those of the process', async () => {
    const response = await test.api.get('/metrics');
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(response.text).toContain('# TYPE callboard_http_request_seconds histogram');
    expect(response.text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(response.text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  it('count requests by route, method and status, for any requested path', async () => {
    const user = await test.api.as({ id: 1 });
    for (const id of [1, 2, 3]) await user.get(`/api/calls/${id}?secret=${id}`);
    await user.get('/api/calls/active');
    await test.api.get('/api/calls/active');
    await user.get('/api/nowhere/1');
    await test.api.get('/elsewhere/2');
    const samples = await scrape(test.api);
    expect(samples).toMatchObject({
      [count('GET', '/api/calls/:callId', 404)]: 3,
      [count('GET', '/api/calls/active', 200)]: 1,
      [count('GET', '/api/calls/active', 401)]: 1,
      [count('GET', '/api/*', 404)]: 1,
      [count('GET', 'none', 404)]: 1,
    });
    const buckets =
      'callboard_http_request_seconds_bucket{le="+Inf",method="GET",route="/api/calls/active",status="200"}';
    expect(samples[buckets]).toBe(1);
  });

  it('count errors by their own status with HTTP_STATUS_MODE=always_200', async () => {
    const always = await createTestApp({ env: { HTTP_STATUS_MODE: 'always_200' } });
    expect((await always.api.get('/api/calls/active')).status).toBe(200);
    expect((await scrape(always.api))[count('GET', '/api/calls/active', 401)]).toBe(1);
    await always.close();
  });

  it('count unfinished calls, and the seconds that one is overdue', async () => {
    // The job would end the overdue call before the scrape.
    await stopJobs(test);
    const look = async () => {
      const { callboard_calls_unfinished: unfinished, callboard_calls_overdue_seconds: overdue } =
        await scrape(test.api);
      return { unfinished, overdue };
    };
    expect(await look()).toEqual({ unfinished: 0, overdue: 0 });
    await createCall(test.api);
    await createCall(test.api, 'accepted');
    await createCall(test.api, 'ended');
    expect(await look()).toEqual({ unfinished: 2, overdue: 0 });
    test.clock.advance(64.5);
    expect(await look()).toEqual({ unfinished: 2, overdue: 4.5 });
    await test.app.get(CallDeadlines).sweep();
    expect(await look()).toEqual({ unfinished: 1, overdue: 0 });
    expect(await scrape(test.api)).toMatchObject({
      callboard_call_sweep_delay_seconds_count: 1,
      callboard_call_sweep_delay_seconds_sum: 4.5,
    });
  });

  it('count a call at its deadline once, in the sweep that ended it', async () => {
    const other = await createTestApp({ database: test.database, clock: test.clock });
    await createCall(test.api);
    test.clock.advance(62.5);
    const sweeps = [test, other].map(({ app }) => app.get(CallDeadlines));
    await Promise.all(sweeps.flatMap((deadlines) => [deadlines.sweep(), deadlines.sweep()]));
    const both = [await scrape(test.api), await scrape(other.api)];
    const sumOf = (name: string) => both.reduce((sum, samples) => sum + (samples[name] ?? 0), 0);
    expect(sumOf('callboard_call_sweep_delay_seconds_count')).toBe(1);
    expect(sumOf('callboard_call_sweep_delay_seconds_sum')).toBe(2.5);
    await other.close();
  });

  it('count open streams, and measure the delay of live events', async () => {
    await test.app.listen(0, '127.0.0.1');
    const url = `http://127.0.0.1:${(test.app.getHttpServer().address() as AddressInfo).port}`;
    const before = await createCall(test.api, 'ended');
    test.clock.advance(100);
    const reader = await EventReader.open(url, { userId: before.calleeId, after: 0 });
    const kinds = ['call.ringing', 'call.accepted', 'call.answered_elsewhere', 'call.ended'];
    await reader.atLeast(kinds.length);
    expect(reader.types).toEqual(kinds);
    await eventually(
      () => scrape(test.api),
      ({ callboard_event_streams: open }) => open === 1,
    );
    expect(await scrape(test.api)).toMatchObject({
      callboard_event_streams: 1,
      callboard_event_delay_seconds_count: 0,
    });

    const placed = await before.caller.post('/api/calls', { callee_id: before.calleeId });
    expect(placed.body.code).toBe(0);
    await reader.atLeast(kinds.length + 1);
    expect(await scrape(test.api)).toMatchObject({
      callboard_event_delay_seconds_count: 1,
      callboard_event_delay_seconds_sum: 0,
    });
    reader.close();
    const after = await eventually(
      () => scrape(test.api),
      ({ callboard_event_streams: open }) => open === 0,
    );
    expect(after.callboard_event_streams).toBe(0);
    // A long event stream is not a slow request.
    expect(Object.keys(after).filter((name) => name.includes('route="/api/events"'))).toEqual([]);
  });

  it('count the connections to the database', async () => {
    const look = async () => {
      const samples = await scrape(test.api);
      return {
        used: samples.callboard_database_connections_used,
        waiting: samples.callboard_database_waiting,
      };
    };
    // Jobs would use connections too.
    await stopJobs(test);
    expect(await look()).toEqual({ used: 0, waiting: 0 });
    // At most ten of fifteen connections are for transactions; SQLite has one for everything.
    const [inTransactions, alone] = onMysql() ? [10, 5] : [1, 0];
    const runners = Array.from({ length: inTransactions + alone }, () =>
      test.app.get(DataSource).createQueryRunner(),
    );
    await Promise.all(runners.slice(alone).map((runner) => runner.startTransaction()));
    await Promise.all(runners.slice(0, alone).map((runner) => runner.connect()));
    const others = [1, 2, 3].map(() => test.query('SELECT 1'));
    // The scrape needs a connection too, and times out.
    TIMINGS.gaugeWithinMs = 100;
    const busy = await scrape(test.api);
    expect(busy).toMatchObject({
      callboard_database_connections_used: inTransactions + alone,
      callboard_database_connections_idle: 0,
      callboard_calls_unfinished: Number.NaN,
      callboard_calls_overdue_seconds: Number.NaN,
    });
    expect(busy.callboard_database_waiting).toBeGreaterThanOrEqual(3);
    TIMINGS.gaugeWithinMs = NEVER_MS;
    await Promise.all(runners.slice(alone).map((runner) => runner.rollbackTransaction()));
    await Promise.all(runners.map((runner) => runner.release()));
    await Promise.all(others);
    expect(await eventually(look, ({ used, waiting }) => used === 0 && waiting === 0)).toEqual({
      used: 0,
      waiting: 0,
    });
    expect((await scrape(test.api)).callboard_calls_unfinished).toBe(0);
  });
});

if (onMysql()) {
  it('Metrics are served without the database, with the known values', async () => {
    const server = await startMariadb();
    const name = 'callboard_metrics';
    const bare = new DataSource({ type: 'mariadb', url: server.url });
    await bare.initialize();
    await bare.query(`CREATE DATABASE ${name}`);
    await bare.destroy();
    const database: TestDatabase = { url: `${server.url}/${name}`, drop: async () => undefined };
    const test = await createTestApp({ database });
    expect((await scrape(test.api)).callboard_calls_unfinished).toBe(0);
    await server.stop();
    const response = await test.api.get('/metrics');
    expect(response.status).toBe(200);
    expect(await scrape(test.api)).toMatchObject({
      callboard_calls_unfinished: Number.NaN,
      callboard_event_streams: 0,
    });
    await test.close();
  });
}
