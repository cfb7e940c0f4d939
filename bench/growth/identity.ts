import { AccountsService } from '../../src/identity/accounts.service';
import type { BenchApp, BenchPart } from './bench-app';
import { measure, type Row } from './measure';

const USERS = 200_000;
const CHUNK = 1_000;
const STORM = 60;
const PASSWORD = 'correct horse';

/** Inserts users directly into the table, as many as a service would have after some years. */
async function loadUsers({ dataSource }: BenchApp): Promise<void> {
  for (let first = 1; first <= USERS; first += CHUNK) {
    const rows = Array.from({ length: CHUNK }, (_, index) => {
      const id = 1_000_000 + first + index;
      return `(${id}, 'u${id}', 'u${id}', 'User ${id}', 'user ${id}', 'user', 1, '2026-01-31 08:00:00.000')`;
    });
    const columns = 'id, account, account_key, name, name_key, role, status, created_at';
    await dataSource.query(`INSERT INTO users (${columns}) VALUES ${rows.join(',')}`);
  }
}

async function run(bench: BenchApp): Promise<Row[]> {
  const { app } = bench;
  await app
    .get(AccountsService)
    .create({ account: 'bench', password: PASSWORD, name: 'Bench', role: 'user' });
  const logIn = () =>
    app.inject({ method: 'POST', url: '/api/auth/login', payload: { account: 'bench', password: PASSWORD } });
  const { access_token } = (await logIn()).json<{ data: { access_token: string } }>().data;
  // An unknown path runs the guards and nothing else.
  const withToken = () =>
    app.inject({ url: '/api/nothing', headers: { authorization: `Bearer ${access_token}` } });
  const withNone = () => app.inject({ url: '/health/live' });

  const bare = await measure(withNone, 2_000);
  const guarded = await measure(withToken, 2_000);
  const small = await measure(logIn, 40);

  const storm = Promise.all(Array.from({ length: STORM }, logIn));
  const during = await measure(withToken, 100);
  await storm;

  await loadUsers(bench);
  const large = await measure(logIn, 40);
  const ratio = large.p50 / small.p50;
  return [
    { what: 'a request without authentication', value: bare.p50, unit: 'ms' },
    { what: 'a request with a session token', value: guarded.p50, unit: 'ms' },
    { what: 'the same, 99th percentile', value: guarded.p99, unit: 'ms' },
    { what: `the same while ${STORM} log-ins are pending, 99th percentile`, value: during.p99, unit: 'ms' },
    { what: 'a log-in', value: small.p50, unit: 'ms' },
    {
      what: `a log-in with ${USERS} users, relative to one user`,
      value: ratio,
      unit: '×',
      target: '≤ 1.3',
      met: ratio <= 1.3,
    },
  ];
}

export const identity: BenchPart = { name: 'identity', run };
