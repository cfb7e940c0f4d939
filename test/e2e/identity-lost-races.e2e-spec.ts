import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { SessionsService } from '../../src/identity/sessions/sessions.service';
import { createUser, refresh, signIn, type Tokens } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { Gate } from '../support/gate';
import { stopJobs } from '../support/jobs';
import { createTestApp, type TestApp } from '../support/test-app';

/** Holds the result of the next statement that reads a table until the gate opens. */
function holdResult(app: TestApp, table: 'users' | 'sessions'): Gate {
  const gate = new Gate();
  const { manager } = app.app.get(DataSource);
  const query = manager.query.bind(manager);
  const spy = jest.spyOn(manager, 'query').mockImplementation(async (sql, parameters) => {
    const rows: unknown = await query(sql, parameters);
    if (sql.startsWith('SELECT ') && sql.includes(` FROM ${table} WHERE`)) {
      spy.mockRestore();
      await gate.pass();
    }
    return rows;
  });
  return gate;
}

const profileStatus = async (api: ApiClient): Promise<number> => (await api.get('/api/auth/me')).status;

describe('A user who is disabled or logged out during the look-up', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 900_001, role: 'admin' });
    await admin.get('/api/auth/me');
    // Only the request may send the statement that is held.
    await stopJobs(test);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => test?.close());

  const disable = (id: number) => admin.put(`/api/admin/users/${id}`, { status: 0 });

  it('is not cached as enabled by an earlier read', async () => {
    const user = await test.api.as({ id: 7 });
    await user.get('/api/auth/me');
    test.clock.advance(11);
    await admin.get('/api/auth/me');

    const gate = holdResult(test, 'users');
    const early = profileStatus(user);
    await gate.reached;
    expect((await disable(7)).status).toBe(200);
    gate.open();
    await early;
    expect(await profileStatus(user)).toBe(401);
  });

  it('is not cached with a session that ended meanwhile', async () => {
    await createUser(admin, 'leaver');
    const tokens = await signIn(test.api, 'leaver');
    const user = test.api.withToken(tokens.access_token);
    const gate = holdResult(test, 'sessions');
    const early = profileStatus(user);
    await gate.reached;
    await test.api.post('/api/auth/logout', { refresh_token: tokens.refresh_token });
    gate.open();
    await early;
    expect(await profileStatus(user)).toBe(401);
  });

  it('is rejected within ten seconds on other instances, regardless of the duration of the look-up', async () => {
    const { database, clock } = test;
    const other = await createTestApp({ database, clock });
    await stopJobs(other);
    const user = await other.api.as({ id: 8 });
    await user.get('/api/auth/me');
    test.clock.advance(11);
    await admin.get('/api/auth/me');

    const gate = holdResult(other, 'users');
    const early = profileStatus(user);
    await gate.reached;
    expect((await disable(8)).status).toBe(200);
    test.clock.advance(9);
    gate.open();
    await early;
    test.clock.advance(1.001);
    expect(await profileStatus(user)).toBe(401);
    await other.close();
  });
});

describe('A refresh without a waiting client', () => {
  let test: TestApp;
  /** An instance on the same database whose requests time out soon. */
  let hasty: TestApp;
  let port: number;
  beforeAll(async () => {
    test = await createTestApp();
    const { database, clock } = test;
    hasty = await createTestApp({ database, clock, env: { REQUEST_TIMEOUT_SECONDS: '2' } });
    // Only the refresh may start the transaction that is held.
    await stopJobs(test, hasty);
    await createUser(await test.api.as({ id: 900_001, role: 'admin' }), 'patient');
    await test.app.listen(0, '127.0.0.1');
    port = (test.app.getHttpServer().address() as AddressInfo).port;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await hasty?.close();
    await test?.close();
  });

  type Timing = 'before its first statement' | 'after its commit';

  /** Holds the next refresh of an instance until the gate opens. `over` resolves when its transaction has ended. */
  function holdRefresh({ app }: TestApp, when: Timing): { gate: Gate; over: Promise<unknown> } {
    const gate = new Gate();
    const over = Promise.withResolvers<unknown>();
    const transactions = app.get(Transactions);
    const run = transactions.run.bind(transactions);
    const hold = jest.spyOn(transactions, 'run').mockImplementation(async (work, options) => {
      hold.mockRestore();
      const result = await run(async (em) => {
        if (when === 'before its first statement') await gate.pass();
        return work(em);
      }, options);
      if (when === 'after its commit') await gate.pass();
      return result;
    });
    const sessions = app.get(SessionsService);
    const rotate = sessions.rotate.bind(sessions);
    const watch = jest.spyOn(sessions, 'rotate').mockImplementation((...asked) => {
      watch.mockRestore();
      const work = rotate(...asked);
      work.then(over.resolve, over.resolve);
      return work;
    });
    return { gate, over: over.promise };
  }

  /** Asserts that the token is unused and that no new token is stored. */
  async function expectUnused(tokens: Tokens): Promise<void> {
    expect(await test.query('SELECT used_at FROM refresh_tokens')).toEqual([{ used_at: null }]);
    const again = await refresh(test.api, tokens);
    expect(again.status).toBe(200);
    await test.api.post('/api/auth/logout', { refresh_token: again.body.data.refresh_token });
    await test.query('DELETE FROM refresh_tokens');
  }

  it.each<Timing>(['before its first statement', 'after its commit'])(
    'uses no token when it returned 503 %s',
    async (when) => {
      const tokens = await signIn(test.api, 'patient');
      const { gate, over } = holdRefresh(hasty, when);
      expect((await refresh(hasty.api, tokens)).status).toBe(503);
      gate.open();
      await over;
      await expectUnused(tokens);
    },
  );

  it.each<Timing>(['before its first statement', 'after its commit'])(
    'uses no token when its client disconnected %s',
    async (when) => {
      const tokens = await signIn(test.api, 'patient');
      const { gate, over } = holdRefresh(test, when);
      const arrived = once(test.app.getHttpServer(), 'request') as Promise<[unknown, ServerResponse]>;
      const headers = { 'content-type': 'application/json' };
      const client = request({ port, path: '/api/auth/refresh', method: 'POST', headers });
      client.on('error', () => undefined);
      client.end(JSON.stringify({ refresh_token: tokens.refresh_token }));
      const [, response] = await arrived;
      await gate.reached;
      client.destroy();
      await once(response, 'close');
      gate.open();
      await over;
      await expectUnused(tokens);
    },
  );

  it('sends no statement after the commit of the new tokens', async () => {
    const tokens = await signIn(test.api, 'patient');
    const { gate } = holdRefresh(test, 'after its commit');
    const reply = refresh(test.api, tokens);
    await gate.reached;
    const dataSource = test.app.get(DataSource);
    const gone = (): never => {
      throw new Error('the database is away');
    };
    jest.spyOn(dataSource, 'query').mockImplementation(gone);
    jest.spyOn(dataSource, 'createQueryRunner').mockImplementation(gone);
    gate.open();
    expect((await reply).status).toBe(200);
    jest.restoreAllMocks();
  });
});
