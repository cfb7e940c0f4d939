import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createConnection } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { RequestRate } from '../../src/rate-limit/request-rate';
import { createUser, login } from '../support/accounts';
import { newUserIds } from '../support/calls';
import { AGORA_SECRET, agoraBody, postAgora } from '../support/media-webhooks';
import { createTestApp, type TestApp } from '../support/test-app';

const UNAUTHORIZED = { code: 401, message: '未授权', data: null };
const TOO_MANY = { code: 429, message: '请求过于频繁', data: null };
const LIMIT = 5;

describe('Rejected requests are cheap:', () => {
  let test: TestApp;
  beforeAll(async () => {
    const env = {
      RATE_LIMIT_PER_MINUTE: String(LIMIT),
      TRUST_PROXY: 'true',
      CORS_ORIGINS: 'https://app.example',
      AGORA_WEBHOOK_SECRET: AGORA_SECRET,
    };
    test = await createTestApp({ env });
    await test.app.listen(0, '127.0.0.1');
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => test?.close());

  const from = (address: string) => test.api.with({ 'x-forwarded-for': address });
  const useUp = async (address: string): Promise<void> => {
    for (let time = 0; time < LIMIT; time += 1)
      expect((await from(address).get('/api/auth/me')).status).toBe(401);
  };
  /** Sends bytes, and returns the response up to the end of the connection or of an envelope. */
  const exchange = async (bytes: string): Promise<string> => {
    const { port } = test.app.getHttpServer().address() as AddressInfo;
    const socket = createConnection({ host: '127.0.0.1', port });
    let response = '';
    socket.on('data', (chunk: Buffer) => {
      response += chunk.toString();
      if (response.includes('"data":null}')) socket.destroy();
    });
    socket.write(bytes);
    await once(socket, 'close');
    return response;
  };

  it('a body is parsed only after authorisation', async () => {
    const parse = jest.spyOn(JSON, 'parse');
    const texts = (): string[] =>
      parse.mock.calls.map(([text]) => text).filter((text) => text.includes('marker'));
    const body = '{"marker":1}';
    const [id = 0] = newUserIds(1);
    const user = await test.api.as({ id });
    expect((await test.api.send('POST', '/api/calls', body)).status).toBe(401);
    expect((await test.api.withToken('junk').send('POST', '/api/calls', body)).status).toBe(401);
    expect((await test.api.send('POST', '/elsewhere', body)).status).toBe(404);
    expect((await user.send('POST', '/api/nothing', body)).status).toBe(404);
    expect((await user.send('POST', '/api/admin/devices', body)).status).toBe(403);
    expect(texts()).toEqual([]);
    expect((await user.send('POST', '/api/calls', body)).status).toBe(422);
    expect(texts()).toEqual([body]);
  });

  it('an address over its limit is rejected before its body arrives', async () => {
    await useUp('192.0.2.1');
    const response = await exchange(
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\n' +
        'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{',
    );
    expect(response).toMatch(/^HTTP\/1\.1 429 /);
    expect(response).toContain(JSON.stringify(TOO_MANY));
  });

  it('an invalid token does not change this limit', async () => {
    await useUp('192.0.2.4');
    const response = await exchange(
      'POST /api/calls HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.4\r\nAuthorization: Bearer junk\r\n' +
        'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{',
    );
    expect(response).toMatch(/^HTTP\/1\.1 429 /);
  });

  it('the rejection has the usual headers', async () => {
    await useUp('192.0.2.2');
    const { headers, body } = await from('192.0.2.2')
      .with({ origin: 'https://app.example', 'x-request-id': 'abc' })
      .post('/api/auth/login', {});
    expect(body).toEqual(TOO_MANY);
    expect(headers).toMatchObject({
      'retry-after': '60',
      'x-request-id': 'abc',
      'access-control-allow-origin': 'https://app.example',
      'x-content-type-options': 'nosniff',
    });
    test.clock.advance(60);
    expect((await from('192.0.2.2').get('/api/auth/me')).status).toBe(401);
  });

  it('an invalid X-Forwarded-For counts against the connection’s address', async () => {
    for (let time = 0; time < LIMIT; time += 1)
      expect((await from(`junk-${time}`.repeat(1_000)).get('/api/auth/me')).status).toBe(401);
    expect((await from('junk').get('/api/auth/me')).body).toEqual(TOO_MANY);
  });

  it('users, signed webhooks and health checks of a limited address are still served', async () => {
    const [knownId = 0, unknownId = 0] = newUserIds(2);
    const known = await from('192.0.2.3').as({ id: knownId });
    expect((await known.get('/api/auth/me')).status).toBe(200);
    await useUp('192.0.2.3');
    const unknown = await from('192.0.2.3').as({ id: unknownId });
    for (const user of [known, unknown]) expect((await user.get('/api/auth/me')).status).toBe(200);
    const notice = agoraBody({ eventType: 103, channelName: 'unknown', uid: 1, clientSeq: 1 });
    expect((await postAgora(from('192.0.2.3'), notice)).status).toBe(200);
    for (const path of ['/health/live', '/metrics'])
      expect((await from('192.0.2.3').get(path)).status).toBe(200);
  });
});

describe('A body with too many values', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  const ids = (count: number): string =>
    JSON.stringify({ device_ids: Array.from({ length: count }, (_, index) => index + 1) });

  it.each([
    ['10,000 ids', ids(10_000), 'device_ids 数量不能超过 500'],
    ['19,997 numbers', ids(19_997).replace('1', '0'), 'device_ids 取值无效'],
    ['more than 20,000 keys and values', ids(20_000), '请求体 数量不能超过 20000'],
    ['64 levels', `{"pad":${'['.repeat(63)}${']'.repeat(63)}}`, 'device_ids 字段不能为空'],
    ['65 levels', `{"pad":${'['.repeat(64)}${']'.repeat(64)}}`, '请求体 取值无效'],
  ])('returns 422 after the token check: %s', async (_, body, message) => {
    const path = '/api/admin/device-groups/1/devices';
    expect((await test.api.send('POST', path, body)).body.code).toBe(401);
    const response = await (await test.api.as({ id: 2, role: 'admin' })).send('POST', path, body);
    expect([response.status, response.body]).toEqual([422, { code: 422, message, data: null }]);
  });
});

describe('A path with a trailing slash', () => {
  const PATHS = [
    '/api/',
    '/api/calls/',
    '/api/calls//',
    '/api/calls/1/',
    '/api/calls/1/accept/',
    '/api/messages/conversations/',
    '/api/auth/login/',
    '/api/calls/?page=1',
    '/api//calls',
    '/api/calls//accept',
    '/api/messages//recall',
    '/%61pi/calls/',
  ];
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it.each(PATHS)('returns 404 like unknown paths: %s', async (path) => {
    const user = await test.api.as({ id: 1 });
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      expect((await test.api.send(method, path)).body).toEqual(UNAUTHORIZED);
      expect((await user.send(method, path)).body).toEqual({ code: 404, message: '接口不存在', data: null });
    }
  });

  it('requires an administrator when its prefix does', async () => {
    for (const path of ['/api/admin/', '/api/admin/devices/', '/api/admin/devices/1/']) {
      expect((await test.api.get(path)).body).toEqual({ code: 401, message: '未授权,请先登录', data: null });
      expect((await (await test.api.as({ id: 1 })).get(path)).body.code).toBe(403);
      expect((await (await test.api.as({ id: 2, role: 'admin' })).get(path)).body.code).toBe(404);
    }
  });

  it('counts against the rate limit', async () => {
    const counting = await createTestApp({ env: { RATE_LIMIT_PER_MINUTE: String(LIMIT) } });
    for (let time = 0; time < LIMIT; time += 1)
      expect((await counting.api.get('/api/calls/')).status).toBe(401);
    expect((await counting.api.get('/api/calls/')).body).toEqual(TOO_MANY);
    const user = await counting.api.as({ id: 1 });
    for (let time = 0; time < LIMIT; time += 1) expect((await user.get('/api/calls/')).status).toBe(404);
    expect((await user.get('/api/calls/')).body).toEqual(TOO_MANY);
    await counting.close();
  });
});

describe('The rate limits on log-ins', () => {
  it('survive requests from any number of addresses and users', async () => {
    const test = await createTestApp({ env: { RATE_LIMIT_PER_MINUTE: '600' } });
    await createUser(await test.api.as({ id: 900_001, role: 'admin' }), 'ann');
    for (let guess = 0; guess < 10; guess += 1)
      expect((await login(test.api, 'ann', 'wrong')).status).toBe(401);
    const rate = test.app.get(RequestRate);
    for (let index = 0; index < 110_000; index += 1) {
      const ip = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
      await rate.count({ ip, routeOptions: { url: '/api/calls' } } as FastifyRequest);
    }
    expect((await login(test.api, 'ann')).body).toEqual(TOO_MANY);
    await test.close();
  });
});
