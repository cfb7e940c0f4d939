import { AccountsService } from '../../../src/identity/accounts.service';
import type { BenchApp } from '../bench-app';

const USERS = 100_000;
const CHUNK = 1_000;
const FIRST_ID = 1_000_000;
const PASSWORD = 'correct horse';

/** The user who opens the measured pages. */
export const ADMIN = 'bench-admin';
export const WRITERS = ['bench-alice', 'bench-bob'] as const;

/** Opens a page as a user, in a separate browser context. */
export type Open = (account: string, path: string) => Promise<import('playwright-core').Page>;

/** Inserts an administrator, two users who chat, and 100,000 other users. */
export async function insertUsers({ app, dataSource }: BenchApp): Promise<void> {
  const accounts = app.get(AccountsService);
  await accounts.create({ account: ADMIN, password: PASSWORD, name: 'Bench', role: 'admin' });
  for (const account of WRITERS)
    await accounts.create({ account, password: PASSWORD, name: account, role: 'user' });
  for (let first = 0; first < USERS; first += CHUNK) {
    const rows = Array.from({ length: CHUNK }, (_, index) => {
      const id = FIRST_ID + first + index;
      return `(${id}, 'u${id}', 'u${id}', 'User ${id}', 'user ${id}', 'user', 1, '2026-01-31 08:00:00.000')`;
    });
    const columns = 'id, account, account_key, name, name_key, role, status, created_at';
    await dataSource.query(`INSERT INTO users (${columns}) VALUES ${rows.join(',')}`);
  }
}

/** Creates the conversation of the two chatting users and returns its id. */
export async function conversationOf(bench: BenchApp): Promise<number> {
  const ids = await bench.dataSource.query<{ id: number }[]>(
    `SELECT id FROM users WHERE account IN (${WRITERS.map(() => '?').join(', ')}) ORDER BY id`,
    [...WRITERS],
  );
  const [first, second] = ids.map(({ id }) => id);
  const response = await bench.app.inject({
    method: 'POST',
    url: '/api/messages/conversations',
    headers: { authorization: `Bearer ${await bench.token(first ?? 0)}` },
    payload: { type: 'single', peer_id: second },
  });
  if (response.statusCode !== 200) throw new Error(response.payload);
  return response.json<{ data: { id: number } }>().data.id;
}

/** Logs in as the web app does. Returns the data that it stores in the browser. */
export async function logIn(url: string, account: string) {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account, password: PASSWORD, cookie: true }),
  });
  const [pair = ''] = response.headers.getSetCookie()[0]?.split(';') ?? [];
  const [name = '', value = ''] = pair.split('=');
  const cookie = {
    name,
    value,
    domain: new URL(url).hostname,
    path: '/api/auth',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Strict' as const,
  };
  return {
    cookies: [cookie],
    origins: [{ origin: url, localStorage: [{ name: 'callboard-signed-in', value: '1' }] }],
  };
}
