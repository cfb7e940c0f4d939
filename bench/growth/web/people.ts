import { AccountsService } from '../../../src/identity/accounts.service';
import type { BenchApp } from '../bench-app';

const USERS = 100_000;
const CHUNK = 1_000;
export const FIRST_ID = 1_000_000;
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

/** Returns a function that sends a POST as one of the two chatting users and returns the `data` of the response. */
export async function createPoster(bench: BenchApp) {
  const ids = await idsOf(bench, WRITERS);
  const tokens = await Promise.all(ids.map((id) => bench.token(id)));
  return async <T>(writer: 0 | 1, url: string, payload: object): Promise<T> => {
    const headers = { authorization: `Bearer ${tokens[writer]}` };
    const response = await bench.app.inject({ method: 'POST', url, headers, payload });
    if (response.statusCode !== 200) throw new Error(response.payload);
    return response.json<{ data: T }>().data;
  };
}

/** Creates the conversation of the two chatting users and returns its id. */
export async function conversationOf(bench: BenchApp): Promise<number> {
  const [, peer_id] = await idsOf(bench, WRITERS);
  const post = await createPoster(bench);
  return (await post<{ id: number }>(0, '/api/messages/conversations', { type: 'single', peer_id })).id;
}

async function idsOf({ dataSource }: BenchApp, accounts: readonly string[]): Promise<number[]> {
  const rows = await dataSource.query<{ id: number }[]>(
    `SELECT id FROM users WHERE account IN (${accounts.map(() => '?').join(', ')}) ORDER BY id`,
    [...accounts],
  );
  return rows.map(({ id }) => id);
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
