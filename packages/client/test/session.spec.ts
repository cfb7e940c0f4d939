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
  it('has a token for each request, and renews it 30 s before its end, whatever the time of day is taken for', async () => {
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

  it('tells of another role as soon as a renewed token brings it, and of nothing that is as it was', async () => {
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

  it('renews once for all who ask at the same time', async () => {
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

  it('goes on with the old token while a new one is not to be had', async () => {
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

  it('is over when its refresh token is refused, and says so once', async () => {
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

  it('is not over when the service cannot be reached', async () => {
    const store = memoryStore('kept');
    const client = clientOf(new ScriptedFetch('no connection'), store);
    const restoring = codeOf(client.session.restore());
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await restoring).toBe('network');
    expect(await store.get()).toBe('kept');
  });

  it('is not signed in with a wrong password, and asks once', async () => {
    const network = new ScriptedFetch(() => failure(401, '账号或密码错误'));
    expect(await codeOf(clientOf(network).session.logIn('amy', 'wrong'))).toBe(401);
    expect(network.requests).toHaveLength(1);
  });

  it('ends with log-out, also for a renewal that is under way', async () => {
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

  it('has done before a log-out what was asked for, while requests are answered; what was taken back not', async () => {
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
    ['fails', 0, (): Promise<never> => Promise.reject(new Error('refused'))],
    ['does not end', 10_000, (): Promise<never> => new Promise(() => undefined)],
  ])('is over, even when what is to be done before %s', async (_, after, act) => {
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
  it('asks for it, and sends no refresh token', async () => {
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

  it('asks up to three times more when other tabs have just used it', async () => {
    const network = new ScriptedFetch(over, over, over, () => signedIn({ refresh_token: null }));
    const restoring = clientOf(network, cookieStore()).session.restore();
    await jest.advanceTimersByTimeAsync(3000);
    expect((await restoring)?.name).toBe('Amy');
  });

  it('is not there at a first visit', async () => {
    const network = new ScriptedFetch(() => failure(422, 'refresh_token 字段不能为空'));
    expect(await clientOf(network, cookieStore()).session.restore()).toBeNull();
    expect(network.requests).toHaveLength(1);
  });

  it('is not asked for where nobody has signed in before, and is where somebody has', async () => {
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

  it('is over when its cookie is refused again and again', async () => {
    const network = new ScriptedFetch(over);
    const restoring = clientOf(network, cookieStore()).session.restore();
    await jest.advanceTimersByTimeAsync(3000);
    expect(await restoring).toBeNull();
    expect(network.requests).toHaveLength(4);
  });

  it('tells when the service did not hear of the log-out: the cookie is still there', async () => {
    const network = new ScriptedFetch(() => signedIn({ refresh_token: null }), 'no connection');
    const client = clientOf(network, cookieStore());
    await client.session.logIn('amy', 'secret');
    const leaving = codeOf(client.session.logOut());
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await leaving).toBe('network');
    expect(client.session.user).toBeNull();
  });
});
