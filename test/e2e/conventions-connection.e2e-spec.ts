import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';

const MEBIBYTE = 1024 * 1024;

describe('Over a real connection', () => {
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
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket, 'close');
    return answer;
  };

  it('what is not HTTP gets an envelope all the same', async () => {
    const answer = await exchange('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/X-Request-Id: [0-9a-f-]{36}/);
    expect(answer).toContain('{"code":400,"message":"请求无效","data":null}');
  });

  it.each(['GET', 'OPTIONS', 'POST'])('%s *, which is no path, finds nothing, with an id', async (method) => {
    const answer = await exchange(`${method} * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer.toLowerCase()).toMatch(/x-request-id: [0-9a-f-]{36}/);
  });

  it.each([
    ['a path that climbs out of it', '/docs/../package.json', 'X: y'],
    ['a precondition that its files do not meet', '/docs/swagger-ui.css', 'If-Match: "x"'],
    ['a path that only its encoding keeps inside', '/docs/%2e%2e/package.json', 'X: y'],
  ])('of the documentation, %s finds nothing', async (_, path, header) => {
    const answer = await exchange(
      `GET ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('{"code":404,"message":"接口不存在","data":null}');
  });

  it('HEAD of the event stream is over at once', async () => {
    const { authorization } = (await test.api.as({ id: 1 })).headers;
    const answer = await exchange(
      `HEAD /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.toLowerCase()).toContain('content-type: text/event-stream');
  });

  it('headers beyond measure get an envelope', async () => {
    const answer = await exchange(
      `GET /api/calls HTTP/1.1\r\nHost: x\r\nX-Pad: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    expect(answer).toContain('{"code":413,"message":"请求体过大","data":null}');
  });

  const TOKEN_MISSING = '{"code":401,"message":"未授权","data":null}';
  const NOT_A_REQUEST = '{"code":400,"message":"请求无效","data":null}';

  it('an expectation that nobody knows is ignored', async () => {
    const answer = await exchange(
      'GET /api/calls HTTP/1.1\r\nHost: x\r\nExpect: banana\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toContain(TOKEN_MISSING);
  });

  it('HTTP/1.1 without a Host is refused, HTTP/1.0 needs none', async () => {
    const answer = await exchange('GET /api/calls HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.toLowerCase()).toMatch(/x-request-id: [0-9a-f-]{36}/);
    expect(answer).toContain(NOT_A_REQUEST);
    expect(await exchange('GET /api/calls HTTP/1.0\r\n\r\n')).toContain(TOKEN_MISSING);
  });

  it.each([
    ['Host', 'Host: x\r\nHost: y\r\n'],
    ['Authorization', 'Host: x\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n'],
  ])('returns 400 for more than one %s', async (_, headers) => {
    const answer = await exchange(`GET /api/calls HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(NOT_A_REQUEST);
  });

  it('CONNECT gets an envelope', async () => {
    const answer = await exchange('CONNECT elsewhere:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('{"code":404,"message":"接口不存在","data":null}');
  });

  it.each(['NONSENSE\r\n\r\n', 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: x\r\n\r\n'])(
    'a client that does not hang up after %j is hung up on',
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

  it('extensions of chunks beyond measure get an envelope', async () => {
    const head = 'POST /api/calls HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answer = await exchange(`${head}1;${'x'.repeat(20_000)}\r\n`);
    expect(answer).toContain('{"code":413,"message":"请求体过大","data":null}');
  });

  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a length that is none', 'Content-Length: two\r\n\r\n{}'],
    ['a header that is none', 'Content Length: 2\r\n\r\n{}'],
  ])('%s, by which requests are smuggled, are refused', async (_, rest) => {
    const answer = await exchange(`POST /api/calls HTTP/1.1\r\nHost: x\r\n${rest}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(NOT_A_REQUEST);
  });

  it('a request that is read badly behind an open event stream ends both, without an answer into the stream', async () => {
    const { authorization } = (await test.api.as({ id: 1 })).headers;
    const socket = createConnection({ host: '127.0.0.1', port });
    const received: string[] = [];
    socket.on('error', () => undefined);
    socket.write(`GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`);
    const begun = Promise.withResolvers<void>();
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk.toString());
      if (received.join('').includes(': callboard')) begun.resolve();
    });
    await begun.promise;
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

    it('headers are waited for 10 s, a whole request 30 s, any byte a minute, another request 72 s', () => {
      const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = server;
      expect({ headersTimeout, requestTimeout, timeout, keepAliveTimeout }).toEqual({
        headersTimeout: 10_000,
        requestTimeout: 30_000,
        timeout: 60_000,
        keepAliveTimeout: 72_000,
      });
    });

    it('headers that do not end are refused in the envelope', async () => {
      server.headersTimeout = 100;
      const answer = await exchange('GET /api/calls HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain(NOT_A_REQUEST);
    });

    it('a body that does not end is refused in the envelope', async () => {
      Object.assign(server, { headersTimeout: 100, requestTimeout: 100 });
      const answer = await exchange(
        'POST /api/calls HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain(NOT_A_REQUEST);
    });

    it('a connection that asks for nothing is closed without an answer', async () => {
      server.headersTimeout = 100;
      expect(await exchange('')).toBe('');
    });
  });

  it('a body that never ends is refused as soon as it is too large', async () => {
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
