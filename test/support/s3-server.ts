import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const S3_KEY = { id: 'TESTKEYID', secret: 'a-secret-of-the-test-bucket' };

/** Failure of the next request, if it is not served. */
type Fault = 'refuse' | 'cut';

/**
 * A server with the parts of S3 that the service uses: PUT, GET with a range, and DELETE of an object. It computes the
 * signature (version 4) of each request and of each signed URL itself, and compares the checksum of the body.
 */
export class S3Server {
  readonly objects = new Map<string, Buffer>();
  fault?: Fault;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<S3Server> {
    const server = new S3Server();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.fault === 'refuse') return void response.writeHead(503).end();
    // In the middle of the body; requests without one are cut at once.
    if (this.fault === 'cut')
      return void request
        .once(request.method === 'PUT' ? 'data' : 'end', () => request.socket.destroy())
        .resume();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const url = new URL(request.url ?? '/', this.endpoint);
    if (!isSigned(request, url, body))
      return void response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    this.#answer(request, response, url, body);
  }

  #answer({ method, headers }: IncomingMessage, response: ServerResponse, url: URL, body: Buffer): void {
    const key = decodeURIComponent(url.pathname.slice(1));
    const object = this.objects.get(key);
    if (method === 'PUT') {
      this.objects.set(key, body);
      return void response.writeHead(200).end();
    }
    if (method === 'DELETE') {
      this.objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (object === undefined)
      return void response
        .writeHead(404, { 'Content-Type': 'application/xml' })
        .end('<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>gone</Message></Error>');
    const [, from = '0', to = String(object.length - 1)] =
      /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const part = object.subarray(Number(from), Number(to) + 1);
    response.writeHead(headers.range === undefined ? 200 : 206, {
      'Content-Length': part.length,
      'Content-Type': url.searchParams.get('response-content-type') ?? 'binary/octet-stream',
      'Content-Disposition': url.searchParams.get('response-content-disposition') ?? 'inline',
    });
    response.end(part);
  }
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** Encodes as the signature does: all but unreserved characters. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Whether the signature in the header or the query is right, and the body is the one that was signed. */
function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const { headers, method = '' } = request;
  const fromHeader =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]+)$/.exec(
      headers.authorization ?? '',
    );
  const [credential, names, signature] = fromHeader?.slice(1) ?? [
    url.searchParams.get('X-Amz-Credential') ?? '',
    url.searchParams.get('X-Amz-SignedHeaders') ?? '',
    url.searchParams.get('X-Amz-Signature') ?? '',
  ];
  const [id, day = '', region = '', service = '', end = ''] = (credential ?? '').split('/');
  const date = fromHeader ? String(headers['x-amz-date']) : (url.searchParams.get('X-Amz-Date') ?? '');
  const checksum = fromHeader ? String(headers['x-amz-content-sha256']) : 'UNSIGNED-PAYLOAD';
  if (checksum !== 'UNSIGNED-PAYLOAD' && checksum !== sha256(body)) return false;
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join('&');
  const signedHeaders = (names ?? '')
    .split(';')
    .map((name) => `${name}:${String(headers[name]).trim()}\n`)
    .join('');
  const canonical = [method, url.pathname, query, signedHeaders, names, checksum].join('\n');
  const scope = [day, region, service, end].join('/');
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = hmac(hmac(hmac(hmac(`AWS4${S3_KEY.secret}`, day), region), service), end);
  return id === S3_KEY.id && hmac(key, text).toString('hex') === signature;
}
