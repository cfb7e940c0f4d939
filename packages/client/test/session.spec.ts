import { Callboard, CallboardError, cookieStore, memoryStore, type RefreshTokenStore } from '../src/index.js';
import { failure, ScriptedFetch, signedIn, success } from './support/scripted-fetch.js';

const over = (): Response => failure(401, '登录已失效,请重新登录');
const list = (): Response => success({ items: [] });

function clientOf(network: ScriptedFetch, store?: RefreshTokenStore): Callboard {
  return new Callboard({ baseUrl: 'http://service.test', fetch: network.fetch, store });
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof CallboardError ? error.code : error),
  );

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2026-01-31T08:00:00Z') });
});
afterEach(() => jest.useRealTimers());

describe('A session', () => {
  it('sends its token with each request, and renews it 30 s before it expires, independently of the time of day', async () => {
    const network = new ScriptedFetch(
      () => signedIn(),
      list,
      list,
      () => signedIn(),
      list,
    );
    const client = clientOf(network);
    await client.session.logIn('amy', 'secret');
    await client.conversations.list();
    jest.setSystemTime(new Date('2026-01-31T09:00:00Z'));
    await client.conversations.list();
    expect(network.names).not.toContain('POST /api/auth/refresh');
    jest.setSystemTime(new Date('2026-01-31T06:00:00Z'));
    await jest.advanceTimersByTimeAsync(870_000);
    await client.conversations.list();
    expect(network.names.slice(3)).toEqual(['POST /api/auth/refresh', 'GET /api/messages/conversations']);
    const [first, , , refreshed, last] = network.headers('Authorization');
    expect([first, refreshed]).toEqual([null, null]);
    expect(last).not.toBe(network.headers('Authorization')[1]);
  });

  it('notifies listeners when a renewed token has another role, but not when nothing changed', async () => {
    const amy = { id: 7, name: 'Amy', avatar: null };
    const network = new ScriptedFetch(
      () => signedIn({ user: { ...amy, role: 'admin' } }),
      () => signedIn({ user: { ...amy, role: 'admin' } }),
      list,
      () => signedIn({ user: { ...amy, role: 'user' } }),
      list,
    );
    const client = clientOf(network);
    const roles: (string | undefined)[] = [];
    client.session.onChange((user) => roles.push(user?.role));
    await client.session.logIn('amy', 'secret');
    await jest.advanceTimersByTimeAsync(870_000);
    await client.conversations.list();
    expect(roles).toEqual(['admin']);
    await jest.advanceTimersByTimeAsync(870_000);
    await client.conversations.list();
    expect(roles).toEqual(['admin', 'user']);
  });

  it('renews once for concurrent requests', async () => {
    const network = new ScriptedFetch(
      () => signedIn(),
      () => failure(401, '未授权'),
      () => failure(401, '未授权'),
      () => signedIn(),
      list,
    );
    const client = clientOf(network);
    await client.session.logIn('amy', 'secret');
    await Promise.all([client.conversations.list(), client.conversations.list()]);
    expect(network.names.filter((name) => name === 'POST /api/auth/refresh')).toHaveLength(1);
  });

  it('continues with the old token while it cannot be renewed', async () => {
    const network = new ScriptedFetch(
      () => signedIn({ expires_in: 60 }),
      () => failure(403, '无权限'),
      list,
    );
    const client = clientOf(network);
    await client.session.logIn('amy', 'secret');
    await jest.advanceTimersByTimeAsync(40_000);
    expect(await client.conversations.list()).toEqual({ items: [] });
  });

  it('ends when its refresh token is rejected, and notifies listeners once', async () => {
    const network = new ScriptedFetch(
      () => signedIn(),
      () => failure(401, '未授权'),
      over,
    );
    const store = memoryStore();
    const client = clientOf(network, store);
    const heard: unknown[] = [];
    client.session.onChange((user, end) => heard.push(user?.name ?? end));
    await client.session.logIn('amy', 'secret');
    expect(await codeOf(client.conversations.list())).toBe('signed_out');
    expect(await codeOf(client.conversations.list())).toBe('signed_out');
    expect(heard).toEqual(['Amy', 'refused']);
    expect(await store.get()).toBeNull();
    expect(network.names.filter((name) => name === 'POST /api/auth/refresh')).toHaveLength(1);
  });

  it('does not end when the service cannot be reached', async () => {
    const store = memoryStore('kept');
    const client = clientOf(new ScriptedFetch('no connection'), store);
    const restoring = codeOf(client.session.restore());
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await restoring).toBe('network');
    expect(await store.get()).toBe('kept');
  });

  it('fails with a wrong password after one request', async () => {
    const network = new ScriptedFetch(() => failure(401, '账号或密码错误'));
    expect(await codeOf(clientOf(network).session.logIn('amy', 'wrong'))).toBe(401);
    expect(network.requests).toHaveLength(1);
  });

  it('ends with a log-out, which discards the result of a running renewal', async () => {
    let answer = (_response: Response): void => undefined;
    const network = new ScriptedFetch(
      () => signedIn(),
      () => failure(401, '未授权'),
      () => new Promise<Response>((resolve) => (answer = resolve)),
      () => success(null),
    );
    const client = clientOf(network);
    const ends: unknown[] = [];
    client.session.onChange((_, end) => ends.push(end));
    await client.session.logIn('amy', 'secret');
    const listing = codeOf(client.conversations.list());
    await jest.advanceTimersByTimeAsync(0);
    await client.session.logOut();
    answer(signedIn());
    expect(await listing).toBe(401);
    expect(client.session.user).toBeNull();
    expect(ends).toEqual([undefined, 'logged_out']);
    expect(network.requests[3]?.body).toEqual({ refresh_token: expect.stringMatching(/^refresh-/) });
    expect(await codeOf(client.conversations.list())).toBe('signed_out');
  });

  it('runs its hooks before a log-out, except removed ones', async () => {
    const network = new ScriptedFetch(
      () => signedIn(),
      list,
      () => success(null),
    );
    const client = clientOf(network);
    await client.session.logIn('amy', 'secret');
    client.session.beforeLogOut(() => client.conversations.list());
    client.session.beforeLogOut(() => client.people.listBlocks())();
    await client.session.logOut();
    expect(network.names).toEqual([
      'POST /api/auth/login',
      'GET /api/messages/conversations',
      'POST /api/auth/logout',
    ]);
  });

  it.each([
    ['fails immediately', 0, (): Promise<never> => Promise.reject(new Error('refused'))],
    ['does not end', 10_000, (): Promise<never> => new Promise(() => undefined)],
  ])('ends even when a hook before the log-out %s', async (_, after, act) => {
    const network = new ScriptedFetch(
      () => signedIn(),
      () => success(null),
    );
    const client = clientOf(network);
    await client.session.logIn('amy', 'secret');
    client.session.beforeLogOut(act);
    const leaving = client.session.logOut();
    await jest.advanceTimersByTimeAsync(after);
    await leaving;
    expect([client.session.user, network.names[1]]).toEqual([null, 'POST /api/auth/logout']);
  });
});

describe('A session whose refresh token is in a cookie', () => {
  it('requests the cookie at log-in, and sends no refresh token in bodies', async () => {
    const network = new ScriptedFetch(
      () => signedIn({ refresh_token: null }),
      () => signedIn({ refresh_token: null }),
      () => success(null),
    );
    const client = clientOf(network, cookieStore());
    await client.session.logIn('amy', 'secret');
    expect((await client.session.restore())?.id).toBe(7);
    await client.session.logOut();
    expect(network.requests.map(({ name, body }) => [name, body])).toEqual([
      ['POST /api/auth/login', { account: 'amy', password: 'secret', cookie: true }],
      ['POST /api/auth/refresh', undefined],
      ['POST /api/auth/logout', undefined],
    ]);
    expect(network.headers('Content-Type')).toEqual(['application/json', null, null]);
  });

  it('retries up to three times when other tabs have just used the token', async () => {
    const network = new ScriptedFetch(over, over, over, () => signedIn({ refresh_token: null }));
    const restoring = clientOf(network, cookieStore()).session.restore();
    await jest.advanceTimersByTimeAsync(3000);
    expect((await restoring)?.name).toBe('Amy');
  });

  it('has no user on a first visit without localStorage', async () => {
    const network = new ScriptedFetch(() => failure(422, 'refresh_token 字段不能为空'));
    expect(await clientOf(network, cookieStore()).session.restore()).toBeNull();
    expect(network.requests).toHaveLength(1);
  });

  it('sends a refresh request only when localStorage records an earlier log-in', async () => {
    const storage = new Map<string, string>();
    const browser = {
      document: {},
      localStorage: {
        getItem: (key: string) => storage.get(key) ?? null,
        setItem: (key: string, value: string) => storage.set(key, value),
        removeItem: (key: string) => storage.delete(key),
      },
    };
    const before = Object.getOwnPropertyDescriptors(globalThis);
    for (const [name, value] of Object.entries(browser))
      Object.defineProperty(globalThis, name, { value, configurable: true });
    try {
      const network = new ScriptedFetch(
        () => signedIn({ refresh_token: null }),
        () => signedIn({ refresh_token: null }),
        () => success(null),
      );
      expect(await clientOf(network, cookieStore()).session.restore()).toBeNull();
      expect(network.requests).toEqual([]);
      await clientOf(network, cookieStore()).session.logIn('amy', 'secret');
      expect([...storage]).toEqual([['callboard-signed-in', '1']]);
      const next = clientOf(network, cookieStore());
      expect((await next.session.restore())?.name).toBe('Amy');
      await next.session.logOut();
      expect([...storage]).toEqual([]);
    } finally {
      for (const name of Object.keys(browser)) {
        const descriptor = before[name as keyof typeof before];
        if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, descriptor);
      }
    }
  });

  it('ends when its cookie is rejected four times', async () => {
    const network = new ScriptedFetch(over);
    const restoring = clientOf(network, cookieStore()).session.restore();
    await jest.advanceTimersByTimeAsync(3000);
    expect(await restoring).toBeNull();
    expect(network.requests).toHaveLength(4);
  });

  it('fails the log-out when the service cannot be reached, because the cookie still exists', async () => {
    const network = new ScriptedFetch(() => signedIn({ refresh_token: null }), 'no connection');
    const client = clientOf(network, cookieStore());
    await client.session.logIn('amy', 'secret');
    const leaving = codeOf(client.session.logOut());
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await leaving).toBe('network');
    expect(client.session.user).toBeNull();
  });
});
