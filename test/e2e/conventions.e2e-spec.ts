import { gzipSync } from 'node:zlib';
import type { ApiClient } from '../support/api-client';
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
    it('wraps a success', async () => {
      const answer = await user.get('/api/calls/active');
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.text).toBe('{"code":0,"message":"操作成功","data":null}');
    });

    it('answers 200, not 201, to a POST that succeeds', async () => {
      const answer = await user.post('/api/calls', { callee_id: 2 });
      expect(answer.status).toBe(200);
      await user.post(`/api/calls/${answer.body.data.call_id}/cancel`);
    });

    it.each([
      ['GET', '/api/nothing'],
      ['GET', '/api'],
      ['POST', '/api/calls/1'],
      ['PATCH', '/api/calls'],
      ['PUT', '/api/calls/1/accept'],
      ['DELETE', '/api/calls/active'],
      ['GET', '/api/calls/1/accept'],
    ] as const)('%s %s is an unknown path: 401 without a token, 404 with one', async (method, path) => {
      expect((await test.api.send(method, path)).body).toEqual({ code: 401, message: '未授权', data: null });
      const answer = await user.send(method, path);
      expect(answer.body).toEqual({ code: 404, message: '接口不存在', data: null });
      expect(answer.status).toBe(404);
    });

    it('answers in the envelope outside /api too', async () => {
      expect((await test.api.get('/elsewhere')).body).toEqual({
        code: 404,
        message: '接口不存在',
        data: null,
      });
    });

    it('answers a path that cannot be decoded', async () => {
      expect((await test.api.get('/api/calls/%zz')).body.code).toBe(401);
      const answer = await user.get('/api/calls/%zz?x=%zz');
      expect(answer.body).toEqual({ code: 404, message: '接口不存在', data: null });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  describe('Bodies', () => {
    const post = (body: string | Buffer, type = 'application/json') =>
      user.with({ 'content-type': type }).send('POST', '/api/calls', body);

    it.each(['{', '{"callee_id": }', 'callee_id=2', "{'a':1}", '\u0000', '{"a":1}}'])(
      'that are not JSON, such as %j, are 400',
      async (body) => {
        const answer = await post(body);
        expect(answer.body).toEqual({ code: 400, message: '请求体不是有效的 JSON', data: null });
        expect(answer.status).toBe(400);
      },
    );

    it('that are not UTF-8 are 400', async () => {
      expect((await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).body.code).toBe(400);
    });

    it.each(['[]', '"text"', '7', 'null', 'true', '[{"callee_id":2}]'])(
      'that are %s, not an object, are 422',
      async (body) => {
        const answer = await post(body);
        expect(answer.body).toEqual({ code: 422, message: '请求体 必须是对象', data: null });
        expect(answer.status).toBe(422);
      },
    );

    it('that are missing or empty count as {}', async () => {
      const expected = { code: 422, message: 'callee_id 字段不能为空', data: null };
      expect((await user.send('POST', '/api/calls')).body).toEqual(expected);
      expect((await post('')).body).toEqual(expected);
      expect((await post('', 'text/plain')).body).toEqual(expected);
    });

    it('of another type are 415', async () => {
      const answer = await post('callee_id=2', 'application/x-www-form-urlencoded');
      expect(answer.body).toEqual({ code: 415, message: '不支持的内容类型', data: null });
      expect(answer.status).toBe(415);
    });

    it.each(['gzip', 'br', 'nonsense'])('that are %s-encoded are 415, after the token', async (encoding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      const body = gzipSync('{"callee_id":2}');
      expect((await user.with(headers).send('POST', '/api/calls', body)).body.code).toBe(415);
      expect((await test.api.with(headers).send('POST', '/api/calls', body)).body.code).toBe(401);
    });

    it.each(['application/json; charset=utf-16', 'application/json; charset=utf-8; charset="UTF-16"'])(
      'that say they are %s are 415, whatever they are',
      async (type) => {
        expect((await post('{"callee_id":2}', type)).body.code).toBe(415);
      },
    );

    it('of something that is no media type come after the token too', async () => {
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
    ])('may be %s', async (type) => {
      expect((await post('{}', type)).body.code).toBe(422);
    });

    it('over 1 MiB are 413, at 1 MiB they are read', async () => {
      const padded = (length: number) =>
        JSON.stringify({ pad: '' }).replace('""', `"${'x'.repeat(length - 10)}"`);
      const answer = await post(padded(MEBIBYTE + 1));
      expect(answer.body).toEqual({ code: 413, message: '请求体过大', data: null });
      expect(answer.status).toBe(413);
      expect((await post(padded(MEBIBYTE))).body.message).toBe('callee_id 字段不能为空');
    });

    it.each([
      ['not JSON', '{', 'application/json'],
      ['too large', `"${'x'.repeat(MEBIBYTE)}"`, 'application/json'],
      ['of another type', 'x', 'text/plain'],
    ])('that are %s still come after the token', async (_, body, type) => {
      const answer = await test.api.with({ 'content-type': type }).send('POST', '/api/calls', body);
      expect(answer.body).toEqual({ code: 401, message: '未授权', data: null });
    });

    it('come after the path', async () => {
      expect((await user.send('POST', '/api/calls/x/accept', '{')).body.message).toBe('callId 必须是整数');
    });

    it('with keys of prototypes are read as any other', async () => {
      const answer = await post(
        '{"__proto__":{"callee_id":2},"constructor":{"prototype":{"x":1}},"callee_id":0}',
      );
      expect(answer.body.message).toBe('callee_id 不能小于 1');
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    });

    it('nested a hundred thousand deep are an error of the client', async () => {
      const deep = `{"terminal_id":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      const answer = await user.send('POST', '/api/calls/1/accept', deep);
      expect(answer.status).toBe(422);
    });
  });

  describe('Request ids', () => {
    it('are taken from the request when they are fit to be repeated', async () => {
      const answer = await user.with({ 'x-request-id': 'aZ0._-' }).get('/api/nothing');
      expect(answer.headers['x-request-id']).toBe('aZ0._-');
    });

    it.each(['a b', 'x'.repeat(129), 'ü', 'a\tb', ''])('are made anew instead of "%s"', async (id) => {
      const answer = await user.with({ 'x-request-id': id }).get('/api/calls/active');
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('are on errors too', async () => {
      expect((await test.api.get('/api/nothing')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  describe('The administrative area', () => {
    it('answers a missing token in its own words', async () => {
      const answer = await test.api.get('/api/admin/nothing');
      expect(answer.body).toEqual({ code: 401, message: '未授权,请先登录', data: null });
      expect(answer.status).toBe(401);
    });

    it.each(['/api/admin', '/api/admin/nothing', '/api/%61dmin/nothing'])(
      'is closed to users: %s',
      async (path) => {
        const answer = await user.get(path);
        expect(answer.body).toEqual({ code: 403, message: '无权限', data: null });
        expect(answer.status).toBe(403);
      },
    );

    it('is open to administrators', async () => {
      expect((await admin.get('/api/admin/nothing')).body.code).toBe(404);
    });

    it('does not begin at a path that only sounds like it', async () => {
      expect((await user.get('/api/administrators')).body.code).toBe(404);
    });
  });

  describe('Headers', () => {
    it('tell browsers to take nothing for granted', async () => {
      const { headers } = await user.get('/api/calls/active');
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' });
    });

    it('answer an OPTIONS request like an unknown path when no origin is configured', async () => {
      expect((await test.api.send('OPTIONS', '/api/calls')).body).toEqual({
        code: 401,
        message: '未授权',
        data: null,
      });
      expect((await user.send('OPTIONS', '/api/calls')).body.code).toBe(404);
    });

    it('allow no other origin unless it is configured', async () => {
      const answer = await test.api.with({ origin: 'https://elsewhere.example' }).get('/health/live');
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    });
  });

  describe('Health', () => {
    it('is live, and ready with its database, for anyone', async () => {
      expect((await test.api.get('/health/live')).body).toEqual({ status: 'ok' });
      const ready = await test.api.get('/health/ready');
      expect([ready.status, ready.body]).toEqual([200, { status: 'ok', checks: { database: 'up' } }]);
    });
  });
});

describe('Settings', () => {
  it('HTTP_STATUS_MODE=always_200 puts every envelope into HTTP 200', async () => {
    const test = await createTestApp({ env: { HTTP_STATUS_MODE: 'always_200' } });
    const user = await test.api.as({ id: 1 });
    const answers = [
      await test.api.get('/api/nothing'),
      await user.get('/api/nothing'),
      await user.post('/api/calls', {}),
      await user.send('POST', '/api/calls', '{'),
      await user.post('/api/calls', { callee_id: 1 }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [200, 401],
      [200, 404],
      [200, 422],
      [200, 400],
      [200, 41003],
    ]);
    await test.close();
  });

  it('CORS_ORIGINS lets the named origins in, with the headers that clients read', async () => {
    const test = await createTestApp({ env: { CORS_ORIGINS: 'https://admin.example, https://app.example' } });
    const preflight = await test.api
      .with({ origin: 'https://app.example', 'access-control-request-method': 'PUT' })
      .send('OPTIONS', '/api/calls');
    expect(preflight.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, DELETE');
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
