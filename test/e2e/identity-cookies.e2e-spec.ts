import { createUser, PASSWORD } from '../support/accounts';
import type { ApiResponse, ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';

const FORBIDDEN = { code: 403, message: '无权限', data: null };
const SESSION_OVER = { code: 401, message: '登录已失效,请重新登录', data: null };
const NO_TOKEN = { code: 422, message: 'refresh_token 字段不能为空', data: null };
const DONE = { code: 0, message: '操作成功', data: null };

const OWN = { 'sec-fetch-site': 'same-origin' };
const COOKIE =
  /^callboard_refresh=([\w-]{43}); Max-Age=2592000; Path=\/api\/auth; HttpOnly; SameSite=Strict$/;

/** Returns the cookie that a response sets; undefined if it sets none. */
const setBy = ({ headers }: ApiResponse): string | undefined => headers['set-cookie'] as string | undefined;
const pairOf = (response: ApiResponse): string => setBy(response)?.split(';')[0] ?? '';

describe('Sign-in by cookie', () => {
  let test: TestApp;
  let other: TestApp;
  let account: string;
  let count = 0;
  beforeAll(async () => {
    test = await createTestApp({ env: { TRUST_PROXY: 'true' } });
    other = await createTestApp({
      env: { TRUST_PROXY: 'true' },
      database: test.database,
      clock: test.clock,
    });
  });
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });
  beforeEach(async () => {
    account = `visitor-${(count += 1)}`;
    await createUser(await test.api.as({ id: 900_001, role: 'admin' }), account);
  });

  const logIn = (api = test.api, more: object = {}): Promise<ApiResponse> =>
    api.post('/api/auth/login', { account, password: PASSWORD, cookie: true, ...more });
  const browser = (cookie: string, headers: Record<string, string> = OWN, api = test.api): ApiClient =>
    api.with({ cookie, ...headers });
  const refresh = (cookie: string, headers?: Record<string, string>, api?: ApiClient): Promise<ApiResponse> =>
    browser(cookie, headers, api).post('/api/auth/refresh');
  const meWith = ({ body }: ApiResponse): Promise<ApiResponse> =>
    test.api.withToken(body.data.access_token as string).get('/api/auth/me');

  it('returns 400 for two refresh cookies, regardless of their validity', async () => {
    const good = pairOf(await logIn());
    for (const cookie of [`${good}; callboard_refresh=other`, `callboard_refresh=other; ${good}`])
      expect((await refresh(cookie)).body).toEqual({ code: 400, message: '请求无效', data: null });
    expect((await refresh(good)).status).toBe(200);
  });

  it('keeps the refresh token out of the body and inaccessible to scripts', async () => {
    const response = await logIn();
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 7200,
      refresh_token: null,
      user: expect.objectContaining({ account }),
      terminal_id: expect.stringMatching(/^s:[0-9a-f]{16}$/),
    });
    expect(setBy(response)).toMatch(COOKIE);
    expect((await meWith(response)).status).toBe(200);
  });

  it('requires a request for it: otherwise the token is in the body, without a cookie', async () => {
    for (const cookie of [false, null, undefined]) {
      const response = await logIn(test.api, { cookie });
      expect(response.body.data.refresh_token).toMatch(/^[\w-]{43}$/);
      expect(setBy(response)).toBeUndefined();
    }
    expect((await logIn(test.api, { cookie: 'yes' })).body.message).toBe('cookie 取值无效');
  });

  it('restricts the cookie to https when it was received over https', async () => {
    const https = test.api.with({ 'x-forwarded-proto': 'https' });
    expect(setBy(await logIn(https))).toMatch(/; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('expires with the refresh token', async () => {
    const brief = await createTestApp({
      env: { REFRESH_TOKEN_TTL_SECONDS: '60' },
      database: test.database,
      clock: test.clock,
    });
    const response = await logIn(brief.api);
    expect(setBy(response)).toMatch(/; Max-Age=60;/);
    test.clock.advance(60);
    expect((await refresh(pairOf(response))).body).toEqual(SESSION_OVER);
    await brief.close();
  });

  it('refreshes with the next cookie and an empty body, and ends the session on a late reuse', async () => {
    const first = await logIn();
    const bodies = [undefined, {}, { refresh_token: null }, { refresh_token: '' }];
    let cookie = pairOf(first);
    for (const body of bodies) {
      const response = await browser(cookie).post('/api/auth/refresh', body);
      expect([response.status, response.body.data.refresh_token]).toEqual([200, null]);
      expect(response.body.data.terminal_id).toBe(first.body.data.terminal_id);
      expect(setBy(response)).toMatch(COOKIE);
      expect(pairOf(response)).not.toBe(cookie);
      cookie = pairOf(response);
    }
    test.clock.advance(10.001);
    expect((await refresh(pairOf(first))).body).toEqual(SESSION_OVER);
    expect((await refresh(cookie)).body).toEqual(SESSION_OVER);
  });

  it('prefers the body to the cookie, and then responds in the body and keeps the cookie', async () => {
    const byCookie = await logIn();
    const byBody = (await logIn(test.api, { cookie: false })).body.data;
    const api = browser(pairOf(byCookie), { 'sec-fetch-site': 'cross-site' });
    const next = await api.post('/api/auth/refresh', { refresh_token: byBody.refresh_token });
    expect([next.status, setBy(next)]).toEqual([200, undefined]);
    expect(next.body.data.terminal_id).toBe(byBody.terminal_id);
    const { refresh_token } = next.body.data;
    const out = await api.post('/api/auth/logout', { refresh_token });
    expect([out.body, setBy(out)]).toEqual([DONE, undefined]);
    expect((await refresh(pairOf(byCookie))).status).toBe(200);
  });

  it.each([undefined, {}])(
    'returns an error when neither the body (%j) nor the cookie has a token',
    async (body) => {
      for (const path of ['refresh', 'logout']) {
        expect((await test.api.post(`/api/auth/${path}`, body)).body).toEqual(NO_TOKEN);
        const others = browser('callboard_refresh=; theme=dark', { 'sec-fetch-site': 'cross-site' });
        expect((await others.post(`/api/auth/${path}`, body)).body).toEqual(NO_TOKEN);
      }
    },
  );

  it('clears the cookie and ends the session at log-out, also for a finished session', async () => {
    const response = await logIn();
    for (let time = 0; time < 2; time += 1) {
      const out = await browser(pairOf(response)).post('/api/auth/logout');
      expect(out.body).toEqual(DONE);
      expect(setBy(out)).toBe('callboard_refresh=; Max-Age=0; Path=/api/auth; HttpOnly; SameSite=Strict');
    }
    expect((await meWith(response)).status).toBe(401);
    expect((await refresh(pairOf(response))).body).toEqual(SESSION_OVER);
  });

  it('keeps the cookie after a 401 and a 403', async () => {
    expect(setBy(await refresh('callboard_refresh=unknown'))).toBeUndefined();
    expect(
      setBy(await refresh('callboard_refresh=unknown', { 'sec-fetch-site': 'cross-site' })),
    ).toBeUndefined();
  });

  const HOST = { host: 'app.example' };
  const OURS: Record<string, string>[] = [
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    { ...HOST, origin: 'http://app.example' },
    { ...HOST, origin: 'https://app.example' },
    { host: 'app.example:443', origin: 'https://app.example' },
    { ...HOST, 'sec-fetch-site': 'none', origin: 'https://app.example' },
    { host: '[2001:db8::1]:3000', origin: 'http://[2001:db8::1]:3000' },
    { host: 'APP.example', origin: 'http://app.example' },
    { host: '10.0.0.7:3000', 'x-forwarded-host': 'app.example', origin: 'https://app.example' },
  ];
  const THEIRS: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { ...HOST, 'sec-fetch-site': 'cross-site', origin: 'http://app.example' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { ...HOST, 'sec-fetch-site': 'same-site', origin: 'https://www.app.example' },
    { ...HOST, origin: 'https://app.example.evil.example' },
    { ...HOST, origin: 'http://app.example:8080' },
    { ...HOST, 'x-forwarded-proto': 'https', origin: 'http://app.example' },
    { ...HOST, origin: 'null' },
    { ...HOST, origin: '' },
    { ...HOST, origin: 'app.example' },
    { ...HOST, referer: 'https://app.example/' },
    { host: '10.0.0.7:3000', 'x-forwarded-host': 'app.example', origin: 'http://10.0.0.7:3000' },
  ];

  it.each(OURS)('accepts the cookie from the service’s own pages: %j', async (headers) => {
    const next = await refresh(pairOf(await logIn()), headers);
    expect(next.status).toBe(200);
    expect((await browser(pairOf(next), headers).post('/api/auth/logout')).body).toEqual(DONE);
  });

  it.each(THEIRS)('rejects it from other pages without using the token: %j', async (headers) => {
    const cookie = pairOf(await logIn());
    for (const path of ['refresh', 'logout']) {
      const response = await browser(cookie, headers).post(`/api/auth/${path}`);
      expect([response.status, response.body, setBy(response)]).toEqual([403, FORBIDDEN, undefined]);
    }
    expect((await refresh(cookie)).status).toBe(200);
  });

  it('ignores a forwarded host from an untrusted proxy', async () => {
    const direct = await createTestApp({ database: test.database, clock: test.clock });
    const cookie = pairOf(await logIn(direct.api));
    const forged = {
      host: 'app.example',
      'x-forwarded-host': 'evil.example',
      origin: 'https://evil.example',
    };
    expect((await refresh(cookie, forged, direct.api)).status).toBe(403);
    expect(
      (await refresh(cookie, { host: 'app.example', origin: 'https://app.example' }, direct.api)).status,
    ).toBe(200);
    await direct.close();
  });

  it('sets no cookie for pages of other sites, which prevents log-in CSRF', async () => {
    const pages: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ];
    for (const headers of pages) {
      const response = await logIn(test.api.with(headers));
      expect([response.body, setBy(response)]).toEqual([FORBIDDEN, undefined]);
      expect((await logIn(test.api.with(headers), { cookie: false })).status).toBe(200);
    }
  });

  it('refreshes once for many concurrent tabs on two instances; the others continue with the new cookie', async () => {
    for (let round = 0; round < 10; round += 1) {
      const cookie = pairOf(await logIn());
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, tab) => refresh(cookie, OWN, (tab % 2 ? other : test).api)),
      );
      const winners = responses.filter(({ status }) => status === 200);
      const losers = responses.filter(({ status }) => status !== 200);
      expect(winners).toHaveLength(1);
      expect(losers.map(({ status }) => status)).toEqual(Array(7).fill(401));
      expect(losers.map(setBy)).toEqual(Array(7).fill(undefined));
      const [winner] = winners as [ApiResponse];
      // A tab that lost the race refreshes again, with the new cookie.
      expect((await refresh(pairOf(winner), OWN, other.api)).status).toBe(200);
      expect((await meWith(winner)).status).toBe(200);
    }
  });

  it('ends on both instances immediately at log-out', async () => {
    const cookie = pairOf(await logIn());
    const outs = await Promise.all(
      [test, other].map(({ api }) => browser(cookie, OWN, api).post('/api/auth/logout')),
    );
    expect(outs.map(({ status }) => status)).toEqual([200, 200]);
    expect((await refresh(cookie, OWN, other.api)).body).toEqual(SESSION_OVER);
  });
});
