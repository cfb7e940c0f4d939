import { createUser, PASSWORD, signIn, type Tokens } from '../support/accounts';
import type { ApiResponse, ApiClient } from '../support/api-client';
import { raceRounds } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const ROUNDS = raceRounds(30);
const BOSS = { id: 900_001, role: 'admin' } as const;

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const statusesOf = (responses: ApiResponse[]): number[] =>
  responses.map(({ status }) => status).toSorted((a, b) => a - b);

/** Two instances on one database, with concurrent requests of users without a row. */
describe('Identity, on two instances', () => {
  let one: TestApp;
  let two: TestApp;
  let admins: [ApiClient, ApiClient];
  beforeAll(async () => {
    one = await createTestApp();
    two = await createTestApp({ database: one.database, clock: one.clock });
    admins = [await one.api.as(BOSS), await two.api.as(BOSS)];
    for (const admin of admins) await admin.get('/api/auth/me');
  });
  afterAll(async () => {
    await two?.close();
    await one?.close();
  });

  const on = (index: number): TestApp => (index % 2 === 0 ? one : two);
  const adminOn = (index: number): ApiClient => admins[index % 2 === 0 ? 0 : 1];
  const countRows = async (sql: string): Promise<number> =>
    Number(((await one.query(sql)) as { n: number | string }[])[0]?.n);
  const profileStatus = async (test: TestApp, { access_token }: Tokens): Promise<number> =>
    (await test.api.withToken(access_token).get('/api/auth/me')).status;

  it('create a new user once for concurrent requests with the token, all of which succeed', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = 500_000 + round;
      const responses = await times(8, async (index) =>
        (await on(index).api.as({ id, name: 'Newcomer' })).get('/api/auth/me'),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(new Set(responses.map(({ body }) => body.data.name))).toEqual(new Set(['Newcomer']));
    }
    expect(await countRows('SELECT COUNT(*) AS n FROM users WHERE id BETWEEN 500000 AND 500100')).toBe(
      ROUNDS,
    );
  });

  it('see new users of the other instance immediately', async () => {
    const asker = await two.api.as({ id: 510_000 });
    await asker.get('/api/auth/me');
    for (let round = 1; round <= ROUNDS; round += 1) {
      const id = 510_000 + round;
      await (await one.api.as({ id })).get('/api/auth/me');
      const response = await asker.post('/api/messages/conversations', { type: 'single', peer_id: id });
      expect(response.status).toBe(200);
    }
  });

  it('allocate unique ids to local users, also when tokens bring the next ids', async () => {
    const ids: number[] = [];
    for (let round = 0; round < ROUNDS / 2; round += 1) {
      // Few at a time: each waits for the sequence, and two lock time-outs are a 503.
      const last = Math.max(0, ...ids);
      const created = await times(4, async (index) => {
        const foreign = await on(index + 1).api.as({ id: last + index + 1, name: 'Foreign' });
        const [id, met] = await Promise.all([
          createUser(adminOn(index), `local-${round}-${index}`),
          foreign.get('/api/auth/me'),
        ]);
        expect(met.status).toBe(200);
        return id;
      });
      ids.push(...created);
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(Math.max(...ids)).toBeLessThanOrEqual(2 * ids.length);
    const named = await countRows("SELECT COUNT(*) AS n FROM users WHERE account LIKE 'local-%'");
    expect(named).toBe(ids.length);
  });

  it('create an account once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const body = { password: PASSWORD, name: 'x' };
      const responses = await times(4, (index) =>
        adminOn(index).post('/api/admin/users', {
          ...body,
          account: `${index < 2 ? 'same' : 'SAME'}-${round}`,
        }),
      );
      expect(statusesOf(responses)).toEqual([200, 409, 409, 409]);
    }
  });

  it('leave no session when a user logs in on one and is disabled on the other', async () => {
    const id = await createUser(admins[0], 'fickle');
    for (let round = 0; round < ROUNDS; round += 1) {
      await admins[1].put(`/api/admin/users/${id}`, { status: 1 });
      const [login] = await Promise.all([
        on(round).api.post('/api/auth/login', { account: 'fickle', password: PASSWORD }),
        adminOn(round + 1).put(`/api/admin/users/${id}`, { status: 0 }),
      ]);
      expect([200, 401]).toContain(login.status);
      expect(await countRows(`SELECT COUNT(*) AS n FROM sessions WHERE user_id = ${id}`)).toBe(0);
      // Afterwards no cache contains the user, and the failed log-ins no longer count towards a 429.
      one.clock.advance(91);
      if (login.status === 200) {
        expect(await profileStatus(one, login.body.data)).toBe(401);
        expect(await profileStatus(two, login.body.data)).toBe(401);
      }
    }
  });

  it('apply the last of concurrent disabling and enabling on both', async () => {
    const id = await createUser(admins[0], 'toggled');
    for (let round = 0; round < ROUNDS; round += 1) {
      const responses = await times(2, (index) =>
        adminOn(index).put(`/api/admin/users/${id}`, { status: index }),
      );
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      const stored = (await admins[0].get(`/api/admin/users/${id}`)).body.data.status as number;
      one.clock.advance(11);
      for (const test of [one, two]) {
        const me = await (await test.api.as({ id })).get('/api/auth/me');
        expect(me.status).toBe(stored === 1 ? 200 : 401);
      }
    }
  });

  it('keep one of two last administrators who remove each other', async () => {
    const acts = [{ status: 0 }, { role: 'user' }] as const;
    const first = await createUser(admins[0], 'root-one', { role: 'admin' });
    const second = await createUser(admins[0], 'root-two', { role: 'admin' });
    for (let round = 0; round < ROUNDS; round += 1) {
      const act = acts[round % 2];
      const [ann, ben] = [await signIn(one.api, 'root-one'), await signIn(two.api, 'root-two')];
      const responses = await Promise.all([
        one.api.withToken(ann.access_token).put(`/api/admin/users/${second}`, act),
        two.api.withToken(ben.access_token).put(`/api/admin/users/${first}`, act),
      ]);
      const left = await countRows(
        `SELECT COUNT(*) AS n FROM users WHERE id IN (${first}, ${second}) AND role = 'admin' AND status = 1`,
      );
      expect(left).toBe(1);
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const id of [first, second])
        await admins[0].put(`/api/admin/users/${id}`, { status: 1, role: 'admin' });
    }
  });

  it('let one of two refreshes with one token win, and its session continues', async () => {
    await createUser(admins[0], 'two-tabs');
    let tokens = await signIn(one.api, 'two-tabs');
    for (let round = 0; round < ROUNDS; round += 1) {
      const { refresh_token } = tokens;
      const responses = await times(4, (index) => on(index).api.post('/api/auth/refresh', { refresh_token }));
      expect(statusesOf(responses)).toEqual([200, 401, 401, 401]);
      tokens = responses.find(({ status }) => status === 200)?.body.data;
      expect(await profileStatus(two, tokens)).toBe(200);
    }
  });
});
