import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';

const MEBIBYTE = 1024 * 1024;

describe('A raw connection', () => {
  let test: TestApp;
  let port: number;
  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
    port = (test.app.getHttpServer().address() as AddressInfo).port;
  });
  afterAll(() => test?.close());

  const exchange = async (bytes: string): Promise<string> => {
    const socket = createConnection({ host: '127.0.0.1', port });
    let reply = '';
    socket.on('data', (chunk: Buffer) => (reply += chunk.toString()));
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket, 'close');
    return reply;
  };

  it('receives an envelope for data that is not HTTP', async () => {
    const reply = await exchange('NONSENSE\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toMatch(/X-Request-Id: [0-9a-f-]{36}/);
    expect(reply).toContain('{"code":400,"message":"请求无效","data":null}');
  });

  it.each(['GET', 'OPTIONS', 'POST'])('receives a 404 with a request id for %s *', async (method) => {
    const reply = await exchange(`${method} * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 404 /);
    expect(reply.toLowerCase()).toMatch(/x-request-id: [0-9a-f-]{36}/);
  });

  it.each([
    ['a path that climbs out of it', '/docs/../package.json', 'X: y'],
    ['a precondition that its files do not meet', '/docs/swagger-ui.css', 'If-Match: "x"'],
    ['a path that only its encoding keeps inside', '/docs/%2e%2e/package.json', 'X: y'],
  ])('receives a 404 for %s of the documentation', async (_, path, header) => {
    const reply = await exchange(`GET ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\nConnection: close\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 404 /);
    expect(reply).toContain('{"code":404,"message":"接口不存在","data":null}');
  });

  it('receives no body for HEAD of the event stream', async () => {
    const { authorization } = (await test.api.as({ id: 1 })).headers;
    const reply = await exchange(
      `HEAD /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
    expect(reply.toLowerCase()).toContain('content-type: text/event-stream');
  });

  it('receives an envelope for too large headers', async () => {
    const reply = await exchange(
      `GET /api/calls HTTP/1.1\r\nHost: x\r\nX-Pad: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    expect(reply).toContain('{"code":413,"message":"请求体过大","data":null}');
  });

  const TOKEN_MISSING = '{"code":401,"message":"未授权","data":null}';
  const NOT_A_REQUEST = '{"code":400,"message":"请求无效","data":null}';

  it('ignores unknown expectations', async () => {
    const reply = await exchange(
      'GET /api/calls HTTP/1.1\r\nHost: x\r\nExpect: banana\r\nConnection: close\r\n\r\n',
    );
    expect(reply).toMatch(/^HTTP\/1\.1 401 /);
    expect(reply).toContain(TOKEN_MISSING);
  });

  it('needs a Host header for HTTP/1.1 and none for HTTP/1.0', async () => {
    const reply = await exchange('GET /api/calls HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply.toLowerCase()).toMatch(/x-request-id: [0-9a-f-]{36}/);
    expect(reply).toContain(NOT_A_REQUEST);
    expect(await exchange('GET /api/calls HTTP/1.0\r\n\r\n')).toContain(TOKEN_MISSING);
  });

  it.each([
    ['Host', 'Host: x\r\nHost: y\r\n'],
    ['Authorization', 'Host: x\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n'],
  ])('returns 400 for more than one %s', async (_, headers) => {
    const reply = await exchange(`GET /api/calls HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain(NOT_A_REQUEST);
  });

  it('receives an envelope for CONNECT', async () => {
    const reply = await exchange('CONNECT elsewhere:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 404 /);
    expect(reply).toContain('{"code":404,"message":"接口不存在","data":null}');
  });

  it.each(['NONSENSE\r\n\r\n', 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: x\r\n\r\n'])(
    'is closed by the server after %j when the client keeps it open',
    async (bytes) => {
      const server = test.app.getHttpServer();
      const connections = (): Promise<number> =>
        new Promise((resolve) => void server.getConnections((_, count) => resolve(count)));
      const none = (): Promise<number> => eventually(connections, (count) => count === 0);
      expect(await none()).toBe(0);
      const socket = createConnection({ host: '127.0.0.1', port, allowHalfOpen: true });
      socket.on('error', () => undefined);
      socket.resume().write(bytes);
      await once(socket, 'end');
      expect(await none()).toBe(0);
      socket.destroy();
    },
  );

  it('receives an envelope for too large chunk extensions', async () => {
    const head = 'POST /api/calls HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const reply = await exchange(`${head}1;${'x'.repeat(20_000)}\r\n`);
    expect(reply).toContain('{"code":413,"message":"请求体过大","data":null}');
  });

  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a length that is none', 'Content-Length: two\r\n\r\n{}'],
    ['a header that is none', 'Content Length: 2\r\n\r\n{}'],
  ])('returns 400 for %s, a form of request smuggling', async (_, rest) => {
    const reply = await exchange(`POST /api/calls HTTP/1.1\r\nHost: x\r\n${rest}`);
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain(NOT_A_REQUEST);
  });

  it('is closed without a response when a malformed request follows an open event stream', async () => {
    const { authorization } = (await test.api.as({ id: 1 })).headers;
    const socket = createConnection({ host: '127.0.0.1', port });
    const received: string[] = [];
    socket.on('error', () => undefined);
    socket.write(`GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`);
    const started = Promise.withResolvers<void>();
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk.toString());
      if (received.join('').includes(': callboard')) started.resolve();
    });
    await started.promise;
    socket.write('NONSENSE\r\n\r\n');
    await once(socket, 'close');
    expect(received.join('').match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  describe('from slow clients', () => {
    let server: Server;
    let waits: { headersTimeout: number; requestTimeout: number };
    beforeAll(() => {
      server = test.app.getHttpServer();
      const { headersTimeout, requestTimeout } = server;
      waits = { headersTimeout, requestTimeout };
    });
    afterEach(() => Object.assign(server, waits));

    it('times out after 10 s for headers, 10 min for an upload, a minute without bytes, 72 s between requests', () => {
      const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = server;
      expect({ headersTimeout, requestTimeout, timeout, keepAliveTimeout }).toEqual({
        headersTimeout: 10_000,
        requestTimeout: 600_000,
        timeout: 60_000,
        keepAliveTimeout: 72_000,
      });
    });

    it('receives an envelope for unfinished headers', async () => {
      server.headersTimeout = 100;
      const reply = await exchange('GET /api/calls HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      expect(reply).toMatch(/^HTTP\/1\.1 400 /);
      expect(reply).toContain(NOT_A_REQUEST);
    });

    it('receives an envelope for an unfinished body', async () => {
      Object.assign(server, { headersTimeout: 100, requestTimeout: 100 });
      const reply = await exchange(
        'POST /api/calls HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      );
      expect(reply).toMatch(/^HTTP\/1\.1 400 /);
      expect(reply).toContain(NOT_A_REQUEST);
    });

    it('is closed without a response if it sends no request', async () => {
      server.headersTimeout = 100;
      expect(await exchange('')).toBe('');
    });
  });

  it('receives a 413 as soon as an endless body is too large', async () => {
    const token = (await test.api.as({ id: 1 })).headers.authorization ?? '';
    const headers = { authorization: token, 'content-type': 'application/json' };
    const request = httpRequest({ host: '127.0.0.1', port, path: '/api/calls', method: 'POST', headers });
    request.on('error', () => undefined);
    const chunk = Buffer.alloc(64 * 1024, ' ');
    for (let sent = 0; sent <= MEBIBYTE; sent += chunk.length) request.write(chunk);
    const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
    expect(response.statusCode).toBe(413);
    expect(response.headers.connection).toBe('close');
    request.destroy();
  });
});
