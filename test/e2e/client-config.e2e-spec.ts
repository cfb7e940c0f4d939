import { version } from '../../package.json';
import { loadConfig } from '../../src/config/config';
import { withLocalSecrets } from '../../src/config/local-secrets';
import { createApp } from '../../src/create-app';
import { CredentialsService } from '../../src/identity/credentials.service';
import { createUser } from '../support/accounts';
import type { ApiResponse } from '../support/api-client';
import { testEnvironment } from '../support/environment';
import { createTestApp, type TestApp } from '../support/test-app';

const USUAL = {
  version,
  time_zone: 'Asia/Shanghai',
  language: 'zh-CN',
  media: { provider: 'agora', configured: true },
  limits: {
    message_length: 5000,
    name_length: 50,
    conversation_name_length: 100,
    group_members: 5000,
    recall_seconds: 120,
    edit_seconds: 900,
  },
  features: { user_directory: 'exact', profile_editing: true, presence: true, typing: true },
  demo: null,
};
const NO_AGORA = { AGORA_APP_ID: '', AGORA_APP_CERTIFICATE: '' };

const ask = ({ api }: TestApp, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  api.with(headers).get('/api/client-config');

describe('GET /api/client-config', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  const configOf = async (env: NodeJS.ProcessEnv): Promise<unknown> => {
    const other = await createTestApp({ env, database: test.database });
    const { body } = await ask(other);
    await other.close();
    return body.data;
  };

  it('returns the configuration of clients without a token, and 304 when it is unchanged', async () => {
    const response = await ask(test);
    expect([response.status, response.body]).toEqual([200, { code: 0, message: '操作成功', data: USUAL }]);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^W\/".+"$/),
    });
    const again = await ask(test, { 'if-none-match': String(response.headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await ask(test, { authorization: 'Bearer nonsense' })).status).toBe(200);
  });

  it('follows the configuration', async () => {
    expect(
      await configOf({
        APP_TIMEZONE: 'Europe/Berlin',
        MESSAGE_LANGUAGE: 'en',
        MESSAGE_RECALL_SECONDS: '60',
        MESSAGE_EDIT_SECONDS: '0',
        USER_DIRECTORY: 'open',
        PROFILE_EDITING: 'off',
        PRESENCE: 'off',
        MEDIA_PROVIDER: 'webrtc',
        ...NO_AGORA,
      }),
    ).toEqual({
      ...USUAL,
      time_zone: 'Europe/Berlin',
      language: 'en',
      media: { provider: 'webrtc', configured: true },
      limits: { ...USUAL.limits, recall_seconds: 60, edit_seconds: 0 },
      features: { user_directory: 'open', profile_editing: false, presence: false, typing: true },
    });
    expect(await configOf({ PROFILE_SOURCE: 'token' })).toMatchObject({
      features: { profile_editing: false },
    });
  });

  it('returns whether a media provider has credentials', async () => {
    const keys = { LIVEKIT_URL: 'wss://x.example', LIVEKIT_API_KEY: 'k', LIVEKIT_API_SECRET: 's'.repeat(32) };
    const cases = [
      [
        { MEDIA_PROVIDER: 'agora', ...NO_AGORA },
        { provider: 'agora', configured: false },
      ],
      [
        { MEDIA_PROVIDER: 'livekit', ...NO_AGORA },
        { provider: 'livekit', configured: false },
      ],
      [
        { MEDIA_PROVIDER: 'livekit', ...keys },
        { provider: 'livekit', configured: true },
      ],
    ] as const;
    for (const [env, media] of cases) {
      const app = await createApp(
        withLocalSecrets(loadConfig(testEnvironment('sqlite::memory:', env))).config,
      );
      expect((await app.inject('/api/client-config')).json()).toMatchObject({ data: { media } });
      await app.close();
    }
  });

  it('is localised for the client, with one ETag for each language', async () => {
    const other = await createTestApp({ env: { MESSAGE_LANGUAGE: 'auto' }, database: test.database });
    const english = await ask(other, { 'accept-language': 'en' });
    const chinese = await ask(other, { 'accept-language': 'zh' });
    expect([english.body.message, chinese.body.message]).toEqual(['Done', '操作成功']);
    expect(english.body.data).toEqual({ ...USUAL, language: 'auto' });
    expect(english.headers.etag).not.toBe(chinese.headers.etag);
    expect(english.headers.vary).toBe('Accept-Language, Accept-Encoding');
    await other.close();
  });

  it('counts against the rate limit of the address', async () => {
    const other = await createTestApp({ env: { RATE_LIMIT_PER_MINUTE: '2' }, database: test.database });
    const statuses = [await ask(other), await ask(other), await ask(other)].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 429]);
    await other.close();
  });
});

describe('The demo accounts', () => {
  it('are existing accounts that still have the demo password, and none in production', async () => {
    const test = await createTestApp({ env: { DEMO_DATA: 'on' } });
    const { api, clock } = test;
    const admin = await api.as({ id: 900_001, role: 'admin' });
    const demo = async (): Promise<unknown> => {
      clock.advance(10);
      return (await ask(test)).body.data.demo;
    };
    expect(await demo()).toBeNull();
    const ids = new Map<string, number>();
    for (const account of ['door', 'Alice', 'admin', 'emma', 'somebody'])
      ids.set(account, await createUser(admin, account, { password: 'callboard-demo' }));
    await createUser(admin, 'bob', { password: 'of his own' });
    expect(await demo()).toEqual({
      accounts: ['admin', 'alice', 'door', 'emma'],
      people: [
        { account: 'admin', name: '管理员', language: null },
        { account: 'alice', name: '爱丽丝', language: 'zh-CN' },
        { account: 'door', name: '东门门口机', language: 'zh-CN' },
        { account: 'emma', name: 'Emma Clarke', language: 'en' },
      ],
      password: 'callboard-demo',
    });
    const before = await ask(test);
    await admin.put(`/api/admin/users/${ids.get('Alice')}/password`, { password: 'another one' });
    for (const account of ['door', 'emma'])
      await admin.put(`/api/admin/users/${ids.get(account)}`, { status: 0 });
    expect(await demo()).toMatchObject({ accounts: ['admin'], people: [{ account: 'admin' }] });
    expect((await ask(test, { 'if-none-match': String(before.headers.etag) })).status).toBe(200);
    const { demo: advertised } = (await ask(test)).body.data as {
      demo: { accounts: string[]; password: string };
    };
    for (const account of advertised.accounts)
      expect((await api.post('/api/auth/login', { account, password: advertised.password })).status).toBe(
        200,
      );

    const without = await createTestApp({ database: test.database });
    expect((await ask(without)).body.data.demo).toBeNull();
    await without.close();
    expect(() => loadConfig({ NODE_ENV: 'production', DEMO_DATA: 'on' })).toThrow(
      'DEMO_DATA must be off in production',
    );
    await test.close();
  });

  it('have their passwords checked once in ten seconds, regardless of the number of requests', async () => {
    const test = await createTestApp({ env: { DEMO_DATA: 'on' } });
    await createUser(await test.api.as({ id: 900_001, role: 'admin' }), 'alice', {
      password: 'callboard-demo',
    });
    const asked = jest.spyOn(test.app.get(CredentialsService), 'accountsWith');
    await Promise.all(Array.from({ length: 50 }, () => ask(test)));
    test.clock.advance(9.999);
    await ask(test);
    expect(asked).toHaveBeenCalledTimes(1);
    test.clock.advance(0.001);
    await ask(test);
    expect(asked).toHaveBeenCalledTimes(2);
    await test.close();
  });
});
