import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type BuiltPages, writePages } from '../support/pages';
import { createTestApp, type TestApp } from '../support/test-app';

const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data: blob: https: http:`,
  `media-src 'self' blob: https: http:`,
  `font-src 'self'`,
  `manifest-src 'self'`,
];
const CLIENT_CONNECT = `connect-src 'self'; worker-src 'self'`;
const REST = [`frame-ancestors 'none'`, `base-uri 'none'`, `form-action 'self'`];

describe('The headers of the web app', () => {
  let pages: BuiltPages;
  let test: TestApp;
  beforeAll(async () => {
    pages = writePages();
    const env = { TRUST_PROXY: 'true', MEDIA_PROVIDER: 'webrtc' };
    test = await createTestApp({ pages: pages.folder, env });
  });
  afterAll(async () => {
    await test?.close();
    pages?.remove();
  });

  const get = (url: string, headers: Record<string, string> = {}, app: NestFastifyApplication = test.app) =>
    app.inject({ url, headers });

  it('restrict the permissions of its pages, and leave those of the API unchanged', async () => {
    for (const [path, connect] of [
      ['/', CLIENT_CONNECT],
      ['/admin', `connect-src 'self'`],
    ] as const) {
      const { headers } = await get(path);
      expect(headers).toMatchObject({
        'content-security-policy': [...POLICY, connect, ...REST].join('; '),
        'permissions-policy': 'camera=(self), microphone=(self)',
        'x-frame-options': 'SAMEORIGIN',
        'referrer-policy': 'no-referrer',
      });
      expect(headers).not.toHaveProperty('cross-origin-opener-policy');
      expect(headers).not.toHaveProperty('origin-agent-cluster');
      expect((await get(path, { 'x-forwarded-proto': 'https' })).headers).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'origin-agent-cluster': '?1',
      });
    }
    const { headers } = await get('/api/client-config');
    expect(headers['content-security-policy']).toContain(`default-src 'self'`);
    expect(headers).not.toHaveProperty('permissions-policy');
  });

  it('allow connections to media servers for the web client only', async () => {
    const livekit = { MEDIA_PROVIDER: 'livekit', LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 's'.repeat(32) };
    const cases = [
      [{ MEDIA_PROVIDER: 'webrtc' }, CLIENT_CONNECT],
      [
        { ...livekit, LIVEKIT_URL: 'wss://media.example:7443/room' },
        `connect-src 'self' https://media.example:7443 wss://media.example:7443; worker-src 'self' blob:`,
      ],
      [
        { ...livekit, LIVEKIT_URL: 'ws://10.0.0.7:7880' },
        `connect-src 'self' http://10.0.0.7:7880 ws://10.0.0.7:7880; worker-src 'self' blob:`,
      ],
      [
        { MEDIA_PROVIDER: 'agora' },
        `connect-src 'self' https://*.agora.io:* wss://*.agora.io:* https://*.sd-rtn.com:* wss://*.sd-rtn.com:* ` +
          `https://*.rtnsvc.com:* wss://*.rtnsvc.com:* https://*.rtesvc.com:* wss://*.rtesvc.com:*; worker-src 'self' blob:`,
      ],
    ] as const;
    for (const [media, connect] of cases) {
      const other = await createTestApp({ pages: pages.folder, env: media, database: test.database });
      const policies = await Promise.all(
        ['/', '/admin'].map(
          async (path) => (await get(path, {}, other.app)).headers['content-security-policy'],
        ),
      );
      expect(policies).toEqual([
        [...POLICY, connect, ...REST].join('; '),
        [...POLICY, `connect-src 'self'`, ...REST].join('; '),
      ]);
      await other.close();
    }
  });
});
