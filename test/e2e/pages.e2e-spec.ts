import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type BuiltPages, CLIENT_PAGE, writePages, PANEL_PAGE, SCRIPT, WORKER } from '../support/pages';
import { connectRaw } from '../support/raw-sockets';
import { createTestApp, type TestApp } from '../support/test-app';

const ASSET = '/assets/client-DGqkqiTx.js';
const NOT_FOUND = { code: 404, message: '接口不存在', data: null };

describe('The web app', () => {
  let pages: BuiltPages;
  let test: TestApp;
  beforeAll(async () => {
    pages = writePages();
    test = await createTestApp({
      pages: pages.folder,
      env: { TRUST_PROXY: 'true', RATE_LIMIT_PER_MINUTE: '20', MEDIA_PROVIDER: 'webrtc' },
    });
  });
  afterAll(async () => {
    await test?.close();
    pages?.remove();
  });

  const get = (
    url: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' = 'GET',
    app = test.app,
  ) => app.inject({ method, url, headers: { 'x-forwarded-for': '192.0.2.1', ...headers } });

  it.each([
    '/',
    '/conversations',
    '/conversations/7',
    '/contacts',
    '/calls',
    '/calls/7',
    '/notifications',
    '/settings',
    '/?a=1',
  ])('serves the web client at %s', async (path) => {
    const { statusCode, headers, body } = await get(path);
    expect([statusCode, body]).toEqual([200, CLIENT_PAGE]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      etag: expect.stringMatching(/^W\/"/),
    });
  });

  it.each(['/admin', '/admin/', '/admin/users', '/admin/users/7/sessions?page=2'])(
    'serves the admin panel at %s',
    async (path) => {
      const { statusCode, body, headers } = await get(path);
      expect([statusCode, body, headers['cache-control']]).toEqual([200, PANEL_PAGE, 'no-cache']);
    },
  );

  it.each([
    '/conversation',
    '/administrator',
    '/index.html',
    '/admin.html',
    '/contacts/7',
    '/favicon.ico',
    '/package.json',
    '/assets',
  ])('serves no other path: %s', async (path) => {
    const { statusCode, body } = await get(path, { 'x-forwarded-for': `192.0.2.${path.length}` });
    expect([statusCode, JSON.parse(body)]).toEqual([404, NOT_FOUND]);
  });

  it('has immutable assets, and pages that browsers revalidate', async () => {
    const asset = await get(ASSET);
    expect([asset.statusCode, asset.body]).toEqual([200, SCRIPT]);
    expect(asset.headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    for (const path of ['/', '/admin', '/favicon.svg', ASSET]) {
      const { headers } = await get(path);
      const again = await get(path, { 'if-none-match': String(headers.etag) });
      expect([path, again.statusCode, again.body]).toEqual([path, 304, '']);
      expect((await get(path, { 'if-none-match': 'W/"other"' })).statusCode).toBe(200);
    }
  });

  it.each([
    ['/sw.js', WORKER, 'application/javascript; charset=utf-8', 'no-cache'],
    ['/manifest.webmanifest', '{"name":"Callboard"}', 'application/manifest+json', 'public, max-age=86400'],
    ['/icons/icon-192.png', 'a picture', 'image/png', 'public, max-age=86400'],
  ])('serves what installs the client: %s', async (path, text, type, cached) => {
    const { statusCode, body, headers } = await get(path);
    expect([statusCode, body]).toEqual([200, text]);
    expect([headers['content-type'], headers['cache-control']]).toEqual([type, cached]);
  });

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1, br;q=0', 'gzip'],
    ['deflate', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('responds to Accept-Encoding "%s" with %s', async (accepted, encoding) => {
    for (const [path, text] of [
      ['/', CLIENT_PAGE],
      ['/admin', PANEL_PAGE],
      [ASSET, SCRIPT],
    ] as const) {
      const { headers, rawPayload, statusCode } = await get(path, { 'accept-encoding': accepted });
      const read = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes };
      expect([path, statusCode, headers['content-encoding']]).toEqual([path, 200, encoding]);
      expect(headers.vary).toMatch(/accept-encoding/i);
      expect(headers['content-length']).toBe(String(rawPayload.length));
      expect(read[(encoding ?? 'none') as keyof typeof read](rawPayload).toString()).toBe(text);
    }
  });

  it('supports HEAD, and returns the complete file for ranges', async () => {
    for (const path of ['/', '/admin/users', ASSET]) {
      const [head, whole] = [await get(path, {}, 'HEAD'), await get(path)];
      expect([head.statusCode, head.body]).toEqual([200, '']);
      expect(head.headers['content-length']).toBe(whole.headers['content-length']);
    }
    for (const range of ['bytes=0-10', 'bytes=99999999-', 'bytes=-1', 'bytes=5-1']) {
      const { statusCode, body, headers } = await get(ASSET, { range });
      expect([range, statusCode, body]).toEqual([range, 200, SCRIPT]);
      expect(headers).not.toHaveProperty('content-range');
    }
  });

  it.each([
    '/icons/../index.html',
    '/icons/nothing.png',
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/assets/..%5cindex.html',
    '/assets/....//index.html',
    '/assets/%00',
    '/assets/%',
    '/assets/.',
    '/assets/',
    '/assets//client-DGqkqiTx.js',
    '/assets/nothing.js',
    '/assets/deeper/client-DGqkqiTx.js',
    '/assets/client-DGqkqiTx.js/',
    '/assets/CLIENT-dgqkqitx.js',
    `/assets/${'a'.repeat(3_000)}`,
    '/assets/../../../../../../etc/passwd',
  ])('serves no other file: %s', async (path) => {
    const { statusCode, body } = await get(path, { 'x-forwarded-for': `198.51.100.${path.length % 250}` });
    expect(JSON.parse(body)).toMatchObject({ data: null });
    expect([401, 404]).toContain(statusCode);
    expect(body).not.toContain('client</p>');
  });

  it('returns errors in the envelope', async () => {
    for (const path of ['/', '/admin', ASSET]) {
      const { statusCode, body } = await get(path, { 'if-match': '"another"' });
      expect([statusCode, JSON.parse(body)]).toEqual([404, NOT_FOUND]);
    }
    expect((await get('/docs/LICENSE')).json()).toEqual(NOT_FOUND);
  });

  it('serves a file created after the start', async () => {
    pages.write('assets/late-abc.js', 'late');
    expect((await get('/assets/late-abc.js')).body).toBe('late');
  });

  it('serves the media of the demo data with ranges, if demo data is enabled', async () => {
    pages.write('demo/note.wav', 'a whistled tune');
    const url = '/demo/note.wav';
    expect((await get(url)).json()).toEqual(NOT_FOUND);
    const other = await createTestApp({
      pages: pages.folder,
      env: { DEMO_DATA: 'on' },
      database: test.database,
    });
    const whole = await get(url, {}, 'GET', other.app);
    expect([whole.statusCode, whole.body, whole.headers['cache-control']]).toEqual([
      200,
      'a whistled tune',
      'public, max-age=86400',
    ]);
    const part = await get(url, { range: 'bytes=2-9' }, 'GET', other.app);
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([
      206,
      'whistled',
      'bytes 2-9/15',
    ]);
    expect((await get('/demo/../index.html', {}, 'GET', other.app)).statusCode).toBe(404);
    await other.close();
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const)(
    'is read-only: %s returns 404',
    async (method) => {
      for (const url of ['/', '/admin', '/admin/users', ASSET]) {
        const response = await test.app.inject({
          method,
          url,
          headers: { 'x-forwarded-for': `203.0.113.${method.length}` },
        });
        expect([response.statusCode, response.json()]).toEqual([404, NOT_FOUND]);
      }
    },
  );

  it('does not count against the rate limit, and is served beyond it', async () => {
    const from = { 'x-forwarded-for': '192.0.2.200' };
    for (let count = 0; count < 30; count += 1)
      for (const path of ['/', '/admin', ASSET, '/favicon.svg', '/assets/missing.js']) await get(path, from);
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1)
      statuses.push((await get('/api/client-config', from)).statusCode);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    expect((await get('/nothing', from)).statusCode).toBe(429);
    for (const path of ['/', '/admin', ASSET]) expect((await get(path, from)).statusCode).toBe(200);
  });

  it('has the same responses over a real connection', async () => {
    await test.app.listen(0, '127.0.0.1');
    const ask = async (line: string): Promise<string> => {
      const { socket, closed } = await connectRaw(await test.app.getUrl());
      socket.write(`${line} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n`);
      return closed;
    };
    expect(await ask(`GET ${ASSET}`)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\ncontent-encoding: br\r\n/i);
    expect(await ask('HEAD /')).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n$/);
    // Browsers normalise this path, other clients send it unchanged.
    expect(await ask('GET /assets/../index.html')).toMatch(/^HTTP\/1\.1 404 /);
    expect(await ask('BREW /')).toMatch(/^HTTP\/1\.1 4\d\d /);
  });
});
