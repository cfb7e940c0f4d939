import { gzipSync } from 'node:zlib';
import type { ApiClient } from '../support/api-client';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const MEBIBYTE = 1024 * 1024;

describe('Conventions', () => {
  let test: TestApp;
  let user: ApiClient;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    user = await testUser(test.api, { id: 1 });
    admin = await testUser(test.api, { id: 2, role: 'admin' });
  });
  afterAll(() => test?.close());

  describe('Envelope', () => {
    it('wraps a successful response', async () => {
      const response = await user.get('/api/calls/active');
      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(response.text).toBe('{"code":0,"message":"操作成功","data":null}');
    });

    it('has status 200, not 201, for a successful POST', async () => {
      const response = await user.post('/api/calls', { callee_id: 2 });
      expect(response.status).toBe(200);
      await user.post(`/api/calls/${response.body.data.call_id}/cancel`);
    });

    it.each([
      ['GET', '/api/nothing'],
      ['GET', '/api'],
      ['POST', '/api/calls/1'],
      ['PATCH', '/api/calls'],
      ['PUT', '/api/calls/1/accept'],
      ['DELETE', '/api/calls/active'],
      ['GET', '/api/calls/1/accept'],
    ] as const)(
      'has 401 without a token and 404 with one for the unknown path %s %s',
      async (method, path) => {
        expect((await test.api.send(method, path)).body).toEqual({
          code: 401,
          message: '未授权',
          data: null,
        });
        const response = await user.send(method, path);
        expect(response.body).toEqual({ code: 404, message: '接口不存在', data: null });
        expect(response.status).toBe(404);
      },
    );

    it('wraps responses outside /api', async () => {
      expect((await test.api.get('/elsewhere')).body).toEqual({
        code: 404,
        message: '接口不存在',
        data: null,
      });
    });

    it('wraps the error of a path that cannot be decoded', async () => {
      expect((await test.api.get('/api/calls/%zz')).body.code).toBe(401);
      const response = await user.get('/api/calls/%zz?x=%zz');
      expect(response.body).toEqual({ code: 404, message: '接口不存在', data: null });
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  describe('Bodies', () => {
    const post = (body: string | Buffer, type = 'application/json') =>
      user.with({ 'content-type': type }).send('POST', '/api/calls', body);

    it.each(['{', '{"callee_id": }', 'callee_id=2', "{'a':1}", '\u0000', '{"a":1}}'])(
      'return 400 if they are not JSON, such as %j',
      async (body) => {
        const response = await post(body);
        expect(response.body).toEqual({ code: 400, message: '请求体不是有效的 JSON', data: null });
        expect(response.status).toBe(400);
      },
    );

    it('return 400 if they are not UTF-8', async () => {
      expect((await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).body.code).toBe(400);
    });

    it.each(['[]', '"text"', '7', 'null', 'true', '[{"callee_id":2}]'])(
      'return 422 if they are %s, not an object',
      async (body) => {
        const response = await post(body);
        expect(response.body).toEqual({ code: 422, message: '请求体 必须是对象', data: null });
        expect(response.status).toBe(422);
      },
    );

    it('are treated as {} if they are missing or empty', async () => {
      const expected = { code: 422, message: 'callee_id 字段不能为空', data: null };
      expect((await user.send('POST', '/api/calls')).body).toEqual(expected);
      expect((await post('')).body).toEqual(expected);
      expect((await post('', 'text/plain')).body).toEqual(expected);
    });

    it('return 415 with another content type', async () => {
      const response = await post('callee_id=2', 'application/x-www-form-urlencoded');
      expect(response.body).toEqual({ code: 415, message: '不支持的内容类型', data: null });
      expect(response.status).toBe(415);
    });

    it.each(['gzip', 'br', 'nonsense'])(
      'return 415 after the token check if they are %s-encoded',
      async (encoding) => {
        const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
        const body = gzipSync('{"callee_id":2}');
        expect((await user.with(headers).send('POST', '/api/calls', body)).body.code).toBe(415);
        expect((await test.api.with(headers).send('POST', '/api/calls', body)).body.code).toBe(401);
      },
    );

    it.each(['application/json; charset=utf-16', 'application/json; charset=utf-8; charset="UTF-16"'])(
      'return 415 with a content type of %s, regardless of the content',
      async (type) => {
        expect((await post('{"callee_id":2}', type)).body.code).toBe(415);
      },
    );

    it('return 415 after the token check with an invalid content type', async () => {
      expect((await test.api.with({ 'content-type': ';;;' }).send('POST', '/api/calls', 'x')).body.code).toBe(
        401,
      );
      expect((await post('x', ';;;')).body.code).toBe(415);
    });

    it.each([
      'application/json; charset="UTF-8"',
      'application/json;charset=us-ascii',
      'APPLICATION/JSON',
      'application/merge-patch+json',
    ])('are accepted as %s', async (type) => {
      expect((await post('{}', type)).body.code).toBe(422);
    });

    it('return 413 above 1 MiB, and are read at 1 MiB', async () => {
      const padded = (length: number) =>
        JSON.stringify({ pad: '' }).replace('""', `"${'x'.repeat(length - 10)}"`);
      const response = await post(padded(MEBIBYTE + 1));
      expect(response.body).toEqual({ code: 413, message: '请求体过大', data: null });
      expect(response.status).toBe(413);
      expect((await post(padded(MEBIBYTE))).body.message).toBe('callee_id 字段不能为空');
    });

    it.each([
      ['not JSON', '{', 'application/json'],
      ['too large', `"${'x'.repeat(MEBIBYTE)}"`, 'application/json'],
      ['of another type', 'x', 'text/plain'],
    ])('are checked after the token if they are %s', async (_, body, type) => {
      const response = await test.api.with({ 'content-type': type }).send('POST', '/api/calls', body);
      expect(response.body).toEqual({ code: 401, message: '未授权', data: null });
    });

    it('are checked after the path', async () => {
      expect((await user.send('POST', '/api/calls/x/accept', '{')).body.message).toBe('callId 必须是整数');
    });

    it('treat keys of prototypes like other keys', async () => {
      const response = await post(
        '{"__proto__":{"callee_id":2},"constructor":{"prototype":{"x":1}},"callee_id":0}',
      );
      expect(response.body.message).toBe('callee_id 不能小于 1');
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    });

    it('return a client error for a nesting of a hundred thousand levels', async () => {
      const deep = `{"terminal_id":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      const response = await user.send('POST', '/api/calls/1/accept', deep);
      expect(response.status).toBe(422);
    });
  });

  describe('Request ids', () => {
    it('are accepted from the request if they are valid', async () => {
      const response = await user.with({ 'x-request-id': 'aZ0._-' }).get('/api/nothing');
      expect(response.headers['x-request-id']).toBe('aZ0._-');
    });

    it.each(['a b', 'x'.repeat(129), 'ü', 'a\tb', ''])('are generated instead of "%s"', async (id) => {
      const response = await user.with({ 'x-request-id': id }).get('/api/calls/active');
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('are part of error responses', async () => {
      expect((await test.api.get('/api/nothing')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  describe('Admin paths', () => {
    it('return a message of their own without a token', async () => {
      const response = await test.api.get('/api/admin/nothing');
      expect(response.body).toEqual({ code: 401, message: '未授权,请先登录', data: null });
      expect(response.status).toBe(401);
    });

    it.each(['/api/admin', '/api/admin/nothing', '/api/%61dmin/nothing'])(
      'return 403 to users: %s',
      async (path) => {
        const response = await user.get(path);
        expect(response.body).toEqual({ code: 403, message: '无权限', data: null });
        expect(response.status).toBe(403);
      },
    );

    it('are accessible to administrators', async () => {
      expect((await admin.get('/api/admin/nothing')).body.code).toBe(404);
    });

    it('do not include paths with a similar prefix', async () => {
      expect((await user.get('/api/administrators')).body.code).toBe(404);
    });
  });

  describe('Headers', () => {
    it('forbid content sniffing, framing and referrers', async () => {
      const { headers } = await user.get('/api/calls/active');
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' });
    });

    it('return 404 for OPTIONS when no origin is configured', async () => {
      expect((await test.api.send('OPTIONS', '/api/calls')).body).toEqual({
        code: 401,
        message: '未授权',
        data: null,
      });
      expect((await user.send('OPTIONS', '/api/calls')).body.code).toBe(404);
    });

    it('allow only configured origins', async () => {
      const response = await test.api.with({ origin: 'https://elsewhere.example' }).get('/health/live');
      expect(response.headers['access-control-allow-origin']).toBeUndefined();
    });
  });

  describe('Health', () => {
    it('is live, and ready with its database, without a token', async () => {
      expect((await test.api.get('/health/live')).body).toEqual({ status: 'ok' });
      const ready = await eventually(
        () => test.api.get('/health/ready'),
        ({ status }) => status === 200,
      );
      expect([ready.status, ready.body]).toEqual([200, { status: 'ok', checks: { database: 'up' } }]);
    });
  });
});

describe('Settings', () => {
  it('HTTP_STATUS_MODE=always_200 returns every envelope with HTTP 200', async () => {
    const test = await createTestApp({ env: { HTTP_STATUS_MODE: 'always_200' } });
    const user = await test.api.as({ id: 1 });
    const responses = [
      await test.api.get('/api/nothing'),
      await user.get('/api/nothing'),
      await user.post('/api/calls', {}),
      await user.send('POST', '/api/calls', '{'),
      await user.post('/api/calls', { callee_id: 1 }),
    ];
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
      [200, 401],
      [200, 404],
      [200, 422],
      [200, 400],
      [200, 41003],
    ]);
    await test.close();
  });

  it('CORS_ORIGINS allows the configured origins, with the headers that clients read', async () => {
    const test = await createTestApp({ env: { CORS_ORIGINS: 'https://admin.example, https://app.example' } });
    const preflight = await test.api
      .with({ origin: 'https://app.example', 'access-control-request-method': 'PUT' })
      .send('OPTIONS', '/api/calls');
    expect(preflight.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    const other = await test.api.with({ origin: 'https://evil.example' }).get('/health/live');
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
    await test.close();
  });

  it('NODE_ENV=production sends Strict-Transport-Security', async () => {
    const env = { NODE_ENV: 'production', MEDIA_PROVIDER: 'webrtc' };
    const [development, production] = [await createTestApp(), await createTestApp({ env })];
    const headerOf = async ({ api }: TestApp) =>
      (await api.get('/health/live')).headers['strict-transport-security'];
    expect(await headerOf(production)).toBe('max-age=31536000; includeSubDomains');
    expect(await headerOf(development)).toBeUndefined();
    await development.close();
    await production.close();
  });
});
