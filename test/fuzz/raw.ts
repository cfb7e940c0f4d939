import * as fc from 'fast-check';

/* Requests that no client library would send, written to a connection as bytes. */

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'get',
  'FOO',
  'G@T',
];
const TARGETS = [
  '/',
  '//',
  '/api',
  '/api/',
  '/api//calls',
  '/api/calls/',
  '/api/calls//accept',
  '/api/nothing',
  '/api/admin',
  '/api/admin/',
  '/api/admin/nothing',
  '/API/calls',
  '/api/calls/%',
  '/api/calls/%zz',
  '/api/calls/%c0%af',
  '/api/calls/%E0%A4%A',
  '/api/calls/%00',
  '/api/calls/1%2Faccept',
  '/api/calls/../admin/users',
  '/api/calls/..%2f..%2fadmin',
  '/api/%61dmin/users',
  '/api/calls?%',
  '/api/calls?page=%zz',
  '/api/calls?page=%00',
  '/api/calls?page=1&page=2',
  '/api/calls?__proto__[x]=1&constructor=1&toString=1',
  '/api/calls?',
  '/api/calls?&&==&',
  '/api/calls#fragment',
  '/api/calls/1;x=1',
  '/elsewhere',
  '/docs',
  '/docs/',
  '/docs/swagger-ui.css',
  '/docs/nothing.js',
  '/docs/../api/calls',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/docs/%00',
  '/docs-json/x',
  '/health',
  '/health/live/',
  '*',
  'api/calls',
  'http://other.example/api/calls',
  '/api/calls/' + '1'.repeat(200),
  '/api/calls/' + 'x'.repeat(3_000),
  '/api/calls?x=' + 'x'.repeat(10_000),
  '/api/calls?x=' + 'x'.repeat(20_000),
  '/api/conversations/\u00e9',
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'HTP/1.1', ''];
const HEADERS = [
  'X: y',
  'X : y',
  ': y',
  'X',
  'X: \0',
  'X: a\x01b',
  ' X: folded',
  'X: \xff\xfe',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 1e3',
  'Content-Length: 0\r\nContent-Length: 5',
  'Content-Length: 99999999999999999999',
  'Content-Length: 2\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: nonsense',
  'Expect: 100-continue',
  'Expect: nonsense',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Upgrade: h2c\r\nHTTP2-Settings: x',
  'Content-Type: application/json\r\nContent-Type: text/plain',
  'Authorization: Bearer a\r\nAuthorization: Bearer b',
  'X-Forwarded-For: ' + '1.2.3.4, '.repeat(500),
  'X-HTTP-Method-Override: DELETE',
  'Cookie: ' + 'a=b; '.repeat(200),
  'If-None-Match: ' + '"x", '.repeat(500),
  'Accept-Encoding: ' + 'gzip, '.repeat(500),
  'Range: bytes=0-1',
  'Range: bytes=99999999-',
  'If-Match: "x"',
  'If-Modified-Since: nonsense',
  'X-Pad: ' + 'x'.repeat(20_000),
  Array.from({ length: 300 }, (_, index) => `X-${index}: y`).join('\r\n'),
  '__proto__: x\r\nconstructor: y',
];
const BODIES = [
  '',
  '{}',
  '{"a":1}',
  '5\r\nhello\r\n0\r\n\r\n',
  '0\r\n\r\n',
  'zz\r\n\r\n',
  '5\r\nhel',
  '\0\0\0',
  'GET /api/calls HTTP/1.1\r\nHost: x\r\n\r\n',
];

interface RawRequest {
  method: string;
  target: string;
  version: string;
  host: string;
  headers: string[];
  body: string;
}

const USUAL: RawRequest = {
  method: 'GET',
  target: '/api/calls',
  version: 'HTTP/1.1',
  host: 'Host: localhost',
  headers: [],
  body: '',
};

/** Unusual parts of a request. */
const deviation: fc.Arbitrary<Partial<RawRequest>> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ target: fc.constantFrom(...TARGETS) }) },
  {
    weight: 6,
    arbitrary: fc.record({ headers: fc.array(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 2 }) }),
  },
  { weight: 3, arbitrary: fc.record({ method: fc.constantFrom(...METHODS) }) },
  { weight: 2, arbitrary: fc.record({ version: fc.constantFrom(...VERSIONS) }) },
  { weight: 2, arbitrary: fc.record({ method: fc.constant('POST'), body: fc.constantFrom(...BODIES) }) },
  { weight: 1, arbitrary: fc.record({ host: fc.constantFrom('', 'Host: ', 'Host: a\r\nHost: b') }) },
);

/** Requests with up to three unusual parts, as bytes. `{token}` stands for a token. */
export const rawBytes: fc.Arbitrary<Buffer> = fc
  .tuple(fc.array(deviation, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([deviations, hasToken]) => {
    const { method, target, version, host, headers, body } = Object.assign(
      {},
      USUAL,
      ...deviations,
    ) as RawRequest;
    const token = hasToken ? ['Authorization: Bearer {token}'] : [];
    const lines = [
      `${method} ${target} ${version}`.trimEnd(),
      host,
      ...token,
      ...headers,
      'Connection: close',
    ];
    return Buffer.from(`${lines.filter(Boolean).join('\r\n')}\r\n\r\n${body}`, 'latin1');
  });
