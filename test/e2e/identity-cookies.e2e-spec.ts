import { createUser, PASSWORD } from '../support/accounts';
import type { Answer, ApiClient } from '../support/api-client';
import { createTestApp, type TestApp } from '../support/test-app';

const FORBIDDEN = { code: 403, message: '无权限', data: null };
const SESSION_OVER = { code: 401, message: '登录已失效,请重新登录', data: null };
const NO_TOKEN = { code: 422, message: 'refresh_token 字段不能为空', data: null };
const DONE = { code: 0, message: '操作成功', data: null };

const OWN = { 'sec-fetch-site': 'same-origin' };
const COOKIE =
  /^callboard_refresh=([\w-]{43}); Max-Age=2592000; Path=\/api\/auth; HttpOnly; SameSite=Strict$/;

/** A browser's jar for the one cookie; undefined when the answer sets none. */
const setBy = ({ headers }: Answer): string | undefined => headers['set-cookie'] as string | undefined;
const pairOf = (answer: Answer): string => setBy(answer)?.split(';')[0] ?? '';

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

  const logIn = (api = test.api, more: object = {}): Promise<Answer> =>
    api.post('/api/auth/login', { account, password: PASSWORD, cookie: true, ...more });
  const browser = (cookie: string, headers: Record<string, string> = OWN, api = test.api): ApiClient =>
    api.with({ cookie, ...headers });
  const refresh = (cookie: string, headers?: Record<string, string>, api?: ApiClient): Promise<Answer> =>
    browser(cookie, headers, api).post('/api/auth/refresh');
  const meWith = ({ body }: Answer): Promise<Answer> =>
    test.api.withToken(body.data.access_token as string).get('/api/auth/me');

  it('returns 400 for two refresh cookies, whichever of them is good', async () => {
    const good = pairOf(await logIn());
    for (const cookie of [`${good}; callboard_refresh=other`, `callboard_refresh=other; ${good}`])
      expect((await refresh(cookie)).body).toEqual({ code: 400, message: '请求无效', data: null });
    expect((await refresh(good)).status).toBe(200);
  });

  it('keeps the refresh token out of the body and of the reach of scripts', async () => {
    const answer = await logIn();
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 7200,
      refresh_token: null,
      user: expect.objectContaining({ account }),
      terminal_id: expect.stringMatching(/^s:[0-9a-f]{16}$/),
    });
    expect(setBy(answer)).toMatch(COOKIE);
    expect((await meWith(answer)).status).toBe(200);
  });

  it('is for those who ask for it: others have the token in the body, and no cookie', async () => {
    for (const cookie of [false, null, undefined]) {
      const answer = await logIn(test.api, { cookie });
      expect(answer.body.data.refresh_token).toMatch(/^[\w-]{43}$/);
      expect(setBy(answer)).toBeUndefined();
    }
    expect((await logIn(test.api, { cookie: 'yes' })).body.message).toBe('cookie 取值无效');
  });

  it('sends the cookie over https alone where it was got over https', async () => {
    const https = test.api.with({ 'x-forwarded-proto': 'https' });
    expect(setBy(await logIn(https))).toMatch(/; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('lasts as long as the refresh token', async () => {
    const brief = await createTestApp({
      env: { REFRESH_TOKEN_TTL_SECONDS: '60' },
      database: test.database,
      clock: test.clock,
    });
    const answer = await logIn(brief.api);
    expect(setBy(answer)).toMatch(/; Max-Age=60;/);
    test.clock.advance(60);
    expect((await refresh(pairOf(answer))).body).toEqual(SESSION_OVER);
    await brief.close();
  });

  it('goes on with the next cookie, whatever the body that is none, and ends what a used one tries later', async () => {
    const first = await logIn();
    const bodies = [undefined, {}, { refresh_token: null }, { refresh_token: '' }];
    let cookie = pairOf(first);
    for (const body of bodies) {
      const answer = await browser(cookie).post('/api/auth/refresh', body);
      expect([answer.status, answer.body.data.refresh_token]).toEqual([200, null]);
      expect(answer.body.data.terminal_id).toBe(first.body.data.terminal_id);
      expect(setBy(answer)).toMatch(COOKIE);
      expect(pairOf(answer)).not.toBe(cookie);
      cookie = pairOf(answer);
    }
    test.clock.advance(10.001);
    expect((await refresh(pairOf(first))).body).toEqual(SESSION_OVER);
    expect((await refresh(cookie)).body).toEqual(SESSION_OVER);
  });

  it('takes the body before the cookie, and then answers in the body and leaves the cookie alone', async () => {
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

  it.each([undefined, {}])('asks for a token where body (%j) and cookie have none', async (body) => {
    for (const path of ['refresh', 'logout']) {
      expect((await test.api.post(`/api/auth/${path}`, body)).body).toEqual(NO_TOKEN);
      const others = browser('callboard_refresh=; theme=dark', { 'sec-fetch-site': 'cross-site' });
      expect((await others.post(`/api/auth/${path}`, body)).body).toEqual(NO_TOKEN);
    }
  });

  it('log-out ends the session and clears the cookie, also one whose session is over', async () => {
    const answer = await logIn();
    for (let time = 0; time < 2; time += 1) {
      const out = await browser(pairOf(answer)).post('/api/auth/logout');
      expect(out.body).toEqual(DONE);
      expect(setBy(out)).toBe('callboard_refresh=; Max-Age=0; Path=/api/auth; HttpOnly; SameSite=Strict');
    }
    expect((await meWith(answer)).status).toBe(401);
    expect((await refresh(pairOf(answer))).body).toEqual(SESSION_OVER);
  });

  it('a 401 and a 403 leave the cookie', async () => {
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

  it.each(OURS)('takes the cookie from a page of our own: %j', async (headers) => {
    const next = await refresh(pairOf(await logIn()), headers);
    expect(next.status).toBe(200);
    expect((await browser(pairOf(next), headers).post('/api/auth/logout')).body).toEqual(DONE);
  });

  it.each(THEIRS)('refuses it from any other, and uses nothing up: %j', async (headers) => {
    const cookie = pairOf(await logIn());
    for (const path of ['refresh', 'logout']) {
      const answer = await browser(cookie, headers).post(`/api/auth/${path}`);
      expect([answer.status, answer.body, setBy(answer)]).toEqual([403, FORBIDDEN, undefined]);
    }
    expect((await refresh(cookie)).status).toBe(200);
  });

  it('does not believe a host that a proxy tells of whom nobody trusts', async () => {
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

  it('sets no cookie for a page of another site, so that none puts its visitors into a session of its choice', async () => {
    const pages: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ];
    for (const headers of pages) {
      const answer = await logIn(test.api.with(headers));
      expect([answer.body, setBy(answer)]).toEqual([FORBIDDEN, undefined]);
      expect((await logIn(test.api.with(headers), { cookie: false })).status).toBe(200);
    }
  });

  it('of many tabs that refresh at once, on two instances, one goes on; the others do with the cookie it got', async () => {
    for (let round = 0; round < 10; round += 1) {
      const cookie = pairOf(await logIn());
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, tab) => refresh(cookie, OWN, (tab % 2 ? other : test).api)),
      );
      const winners = answers.filter(({ status }) => status === 200);
      const losers = answers.filter(({ status }) => status !== 200);
      expect(winners).toHaveLength(1);
      expect(losers.map(({ status }) => status)).toEqual(Array(7).fill(401));
      expect(losers.map(setBy)).toEqual(Array(7).fill(undefined));
      const [winner] = winners as [Answer];
      // What a tab does that was too late: it asks once more, by then with the jar's new cookie.
      expect((await refresh(pairOf(winner), OWN, other.api)).status).toBe(200);
      expect((await meWith(winner)).status).toBe(200);
    }
  });

  it('is logged out of both instances at once', async () => {
    const cookie = pairOf(await logIn());
    const outs = await Promise.all(
      [test, other].map(({ api }) => browser(cookie, OWN, api).post('/api/auth/logout')),
    );
    expect(outs.map(({ status }) => status)).toEqual([200, 200]);
    expect((await refresh(cookie, OWN, other.api)).body).toEqual(SESSION_OVER);
  });
});
