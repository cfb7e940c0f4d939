import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { AuthRefusals } from '../../src/common/auth/auth-refusals';
import { createUser, login, refresh, signIn } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { JwksServer, makeKey, type SigningKey } from '../support/jwks-server';
import { scrape } from '../support/metrics';
import { createTestApp, type TestApp } from '../support/test-app';
import { signToken } from '../support/tokens';

const NOW = Date.parse('2026-01-31T08:00:00Z') / 1000;
const ISSUER = 'https://id.example';

describe('The logged reason of a 401', () => {
  let key: SigningKey;
  let stranger: SigningKey;
  let jwks: JwksServer;
  let test: TestApp;
  let admin: ApiClient;
  const good = { sub: '5', iss: ISSUER, aud: 'callboard' };
  beforeAll(async () => {
    key = await makeKey('ES256', 'known');
    stranger = await makeKey('ES256', 'unknown');
    jwks = await JwksServer.start([key]);
    test = await createTestApp({
      env: { JWT_JWKS_URL: jwks.url, JWT_ISSUER: ISSUER, JWT_AUDIENCE: 'callboard' },
    });
    admin = test.api.withToken(await signToken({ ...good, sub: '900001', role: 'admin' }));
    await admin.get('/api/auth/me');
  });
  afterAll(async () => {
    await test?.close();
    await jwks?.stop();
  });
  afterEach(() => jest.restoreAllMocks());

  /** Returns the logged reasons of requests with their numbers, and the messages of the responses. */
  const reasonsOf = async (ask: () => Promise<{ status: number; body: { message: string } }>) => {
    const before = await scrape(test.api);
    const { status } = await ask();
    expect(status).toBe(401);
    const after = await scrape(test.api);
    return Object.fromEntries(
      Object.entries(after)
        .map(([name, count]) => [
          /^callboard_auth_refused_total\{reason="(.+)"\}$/.exec(name)?.[1],
          count - (before[name] ?? 0),
        ])
        .filter(([reason, count]) => reason !== undefined && count !== 0),
    ) as Record<string, number>;
  };
  const byToken = async (token: string) => reasonsOf(() => test.api.withToken(token).get('/api/auth/me'));

  const TOKENS: [reason: string, token: () => Promise<string> | string][] = [
    ['malformed', () => 'a.b.c'],
    ['malformed', () => 'x'],
    ['algorithm', () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
    [
      'algorithm',
      () =>
        new SignJWT({ ...good, exp: NOW + 60 })
          .setProtectedHeader({ alg: 'PS256', kid: 'known' })
          .sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
    ],
    ['unknown key', () => stranger.sign(good)],
    ['signature', () => stranger.sign(good, { kid: 'known' })],
    ['signature', () => signToken(good, 'another-secret-of-32-bytes-or-more-indeed')],
    ['expired', () => key.sign({ ...good, exp: NOW })],
    ['expired', () => signToken({ ...good, exp: NOW - 1 })],
    ['not yet valid', () => key.sign({ ...good, nbf: NOW + 60 })],
    ['no exp', () => signToken({ ...good, exp: undefined })],
    ['claims', () => signToken({ ...good, nbf: 'soon' })],
    ['issuer', () => key.sign({ ...good, iss: 'https://evil.example' })],
    ['issuer', () => key.sign({ ...good, iss: undefined })],
    ['audience', () => key.sign({ ...good, aud: ['another'] })],
    ['no sub', () => key.sign({ ...good, sub: undefined })],
    ['no sub', () => key.sign({ ...good, sub: 'x'.repeat(256) })],
    ['no sub', () => signToken({ ...good, sub: 'auth0|text' })],
    ['unknown user', () => signToken({ ...good, sub: '77', sid: 'made-up' })],
    ['session over', () => signToken({ ...good, sub: '900001', sid: 'made-up' })],
    ['session over', () => signToken({ ...good, sub: '900001', sid: 7 })],
  ];
  it.each(TOKENS)('is recorded for a token: %s', async (reason, token) => {
    expect(await byToken(await token())).toEqual({ [reason]: 1 });
  });

  it('is recorded for a missing token, another header, and admin paths', async () => {
    expect(await reasonsOf(() => test.api.get('/api/auth/me'))).toEqual({ 'no token': 1 });
    expect(await reasonsOf(() => test.api.get('/api/admin/users'))).toEqual({ 'no token': 1 });
    const basic = test.api.with({ authorization: 'Basic YTpi' });
    expect(await reasonsOf(() => basic.get('/api/nothing'))).toEqual({ malformed: 1 });
  });

  it('is recorded for formerly valid tokens', async () => {
    const soon = await key.sign({ ...good, sub: '31', exp: NOW + 3600 });
    const client = test.api.withToken(soon);
    const { id } = (await client.get('/api/auth/me')).body.data;
    await admin.put(`/api/admin/users/${id}`, { status: 0 });
    expect(await reasonsOf(() => client.get('/api/auth/me'))).toEqual({ disabled: 1 });
    expect(await reasonsOf(() => client.get('/api/auth/me'))).toEqual({ disabled: 1 });
  });

  it('is recorded for log-in and refresh, without distinguishing account and password', async () => {
    await createUser(admin, 'reasoned');
    expect(await reasonsOf(() => login(test.api, 'reasoned', 'wrong'))).toEqual({ credentials: 1 });
    expect(await reasonsOf(() => login(test.api, 'nobody', 'wrong'))).toEqual({ credentials: 1 });
    const first = await signIn(test.api, 'reasoned');
    const second = (await refresh(test.api, first)).body.data;
    expect(await reasonsOf(() => refresh(test.api, first))).toEqual({ 'refresh token used': 1 });
    await test.api.post('/api/auth/logout', second);
    expect(await reasonsOf(() => refresh(test.api, second))).toEqual({ 'refresh token unknown': 1 });
    expect(await reasonsOf(() => refresh(test.api, { refresh_token: 'x' }))).toEqual({
      'refresh token unknown': 1,
    });
  });

  it('is recorded for a media webhook', async () => {
    const notice = () => test.api.post('/api/media/webhooks/agora', {});
    expect(await reasonsOf(notice)).toEqual({ 'webhook signature': 1 });
  });

  it('is not in the response, only in the log at debug, without request data', async () => {
    const noted = jest.spyOn(test.app.get(AuthRefusals), 'note');
    const response = await test.api
      .withToken(await stranger.sign({ ...good, sub: 'secret-sub' }))
      .get('/api/auth/me');
    expect(response.body).toEqual({ code: 401, message: '未授权', data: null });
    expect(JSON.stringify(response.headers)).not.toContain('unknown key');
    const debug = jest.fn();
    const [, error] = noted.mock.calls[0] ?? [];
    test.app.get(AuthRefusals).note({ log: { debug } } as never, error as never);
    expect(debug.mock.calls).toEqual([[{ reason: 'unknown key' }, 'unauthorised']]);
  });
});
