import Database from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import { onMysql, type TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { eventually, ServiceProcess } from '../support/service-process';
import { NEVER_MS, timingEnvironment } from '../support/timings';
import { signToken } from '../support/tokens';

const UNAVAILABLE = '{"code":503,"message":"服务暂不可用","data":null}';
const REFUSED = [503, '1', UNAVAILABLE];
const LIMIT = 50;
const FLOOD = 300;
/** Users of the flood: enough that no user exceeds its own share. */
const USERS = 20;
/** Slots that one caller may take: half of all. */
const HALF = 25;
const HEALTHY = Array.from({ length: LIMIT }, () => 200);

/** Status, Retry-After and body. */
type Verdict = [status: number, retryAfter: string | null, body: string];

describe('An overloaded instance', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let tokens: string[];
  let release: () => Promise<void> = async () => undefined;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    service = await ServiceProcess.start(database.url, {
      MAX_REQUESTS_IN_FLIGHT: String(LIMIT),
      // Blocked requests must not time out on a slow machine.
      REQUEST_TIMEOUT_SECONDS: '600',
      ...timingEnvironment({ fileLockWithinMs: NEVER_MS }),
    });
    tokens = await Promise.all(
      Array.from({ length: USERS }, (_, index) => signToken({ sub: `${index + 1}` })),
    );
    for (let user = 1; user <= USERS; user += 1) await service.send(user, 'GET', '/api/calls/active');
  });
  afterAll(async () => {
    await release();
    await service?.kill();
    await database?.drop();
  });

  const request = async (method: string, path: string, body?: object, user = 1): Promise<Verdict> => {
    const token = tokens[user - 1];
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    return [response.status, response.headers.get('retry-after'), await response.text()];
  };
  const createGroup = (index: number, user?: number): Promise<Verdict> =>
    request('POST', '/api/messages/conversations', { type: 'group', name: `Group ${index}` }, user);
  const groupsOf = async (user: number): Promise<number> => {
    const [, , list] = await request('GET', '/api/messages/conversations', undefined, user);
    return JSON.parse(list).data.pagination.total;
  };

  it('rejects requests above its queue limit immediately, and recovers when those are served', async () => {
    release = await blockWrites(database.url);
    /** In the order of the responses. */
    const verdicts: Verdict[] = [];
    const flood = Array.from({ length: FLOOD }, async (_, index) => {
      const verdict = await createGroup(index, 1 + (index % USERS));
      verdicts.push(verdict);
    });
    await eventually(
      async () => verdicts.length,
      (length) => length >= FLOOD - LIMIT,
    );
    // Queued requests cannot have a response yet, so these are the rejected ones.
    expect(verdicts).toEqual(Array.from({ length: FLOOD - LIMIT }, () => REFUSED));
    expect(await request('GET', '/api/calls/active')).toEqual(REFUSED);
    expect((await request('GET', '/health/live'))[0]).toBe(200);

    await release();
    await Promise.all(flood);
    expect(verdicts.slice(FLOOD - LIMIT).map(([status]) => status)).toEqual(HEALTHY);
    const groups = await Promise.all(tokens.map((_, index) => groupsOf(1 + index)));
    expect(groups.reduce((sum, count) => sum + count)).toBe(LIMIT);
  });

  it('rejects requests of one user above half of the queue, and serves another user', async () => {
    const before = await groupsOf(1);
    release = await blockWrites(database.url);
    const refused: Verdict[] = [];
    const flood = Array.from({ length: FLOOD }, async (_, index) => {
      const verdict = await createGroup(index);
      if (verdict[0] === 503) refused.push(verdict);
    });
    await eventually(
      async () => refused.length,
      (length) => length >= FLOOD - HALF,
    );
    expect(refused).toEqual(Array.from({ length: FLOOD - HALF }, () => REFUSED));
    // On SQLite it waits as well, because the file is locked for all requests.
    const other = request('GET', '/api/calls/active', undefined, 2);
    if (onMysql()) expect((await other)[0]).toBe(200);
    await release();
    expect((await other)[0]).toBe(200);
    await Promise.all(flood);
    expect(await groupsOf(1)).toBe(before + HALF);
  });

  it('returns an error to a request that waited too long, which can be repeated safely', async () => {
    const hasty = await ServiceProcess.start(database.url, { REQUEST_TIMEOUT_SECONDS: '2' });
    const group = { type: 'group', name: 'Hasty' };
    const { id } = (await service.send(2, 'POST', '/api/messages/conversations', group)).data;
    const path = `/api/messages/conversations/${id}/messages`;
    const message = { type: 'text', content: 'once', client_msg_id: 'one' };
    const sendTo = (instance: ServiceProcess) => instance.send(2, 'POST', path, message);

    release = await blockWrites(database.url);
    expect(await sendTo(hasty)).toEqual(JSON.parse(UNAVAILABLE));
    await release();
    // Only the blocked request has the short limit.
    expect((await sendTo(service)).data.content).toBe('once');
    expect((await service.send(2, 'GET', path)).data.pagination.total).toBe(1);
    await hasty.kill();
  });

  it('does not count open streams as queued requests', async () => {
    const ends = Array.from({ length: 2 * LIMIT }, () => new AbortController());
    // One stream per user, because a user may have at most twenty.
    const open = await Promise.all(
      ends.map(async ({ signal }, index) => {
        const headers = { authorization: `Bearer ${await signToken({ sub: String(101 + index) })}` };
        return fetch(`${service.url}/api/events`, { headers, signal });
      }),
    );
    expect(open.map(({ status }) => status)).toEqual(ends.map(() => 200));
    expect((await request('GET', '/api/calls/active'))[0]).toBe(200);
    for (const end of ends) end.abort();
  });
});

/** Blocks every write to the conversations until the returned function is called. */
async function blockWrites(url: string): Promise<() => Promise<void>> {
  if (!onMysql()) {
    const file = new Database(url.slice('sqlite:'.length));
    file.exec('BEGIN IMMEDIATE');
    return async () => void file.close();
  }
  const connection = await createConnection(url.replace('mariadb:', 'mysql:'));
  await connection.query('LOCK TABLES conversations READ');
  // Can be called twice.
  return async () => connection.destroy();
}
