import { createECDH, type ECDH, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import {
  createServer as createHttp2Server,
  type Http2Server,
  type IncomingHttpHeaders as IncomingHttp2Headers,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { decrypt } from 'http_ece';
import { importJWK, importSPKI, jwtVerify } from 'jose';

/* Push services on this machine that speak the real protocols. */

/** A request of the service. */
export interface PushRequest {
  path: string;
  headers: IncomingHttpHeaders;
  /** Parsed; of Web Push decrypted. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read requests of any shape
  body: Record<string, any>;
  at: number;
}

/** A response; undefined: none, the request hangs. */
export interface PushReply {
  status: number;
  body?: object;
  headers?: Record<string, string>;
}

export type Replies = (request: PushRequest) => PushReply | undefined | Promise<PushReply>;

const apnsKeys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const googleKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const vapid = createECDH('prime256v1');
vapid.generateKeys();

const pem = (key: { export(options: object): string | Buffer }, type: string): string =>
  String(key.export({ type, format: 'pem' }));

/** Servers of APNs (HTTP/2), FCM with its token endpoint, Web Push and the gateway. */
export class PushProviders {
  readonly apns: PushRequest[] = [];
  readonly fcm: PushRequest[] = [];
  readonly webPush: PushRequest[] = [];
  readonly gateway: PushRequest[] = [];
  /** Number of access tokens that were issued. */
  tokensIssued = 0;
  /** Responses; a test may replace them. */
  replies: Record<'apns' | 'fcm' | 'webPush' | 'gateway', Replies> = {
    apns: () => ({ status: 200 }),
    fcm: () => ({ status: 200, body: { name: 'projects/p/messages/1' } }),
    webPush: () => ({ status: 201 }),
    gateway: () => ({ status: 204 }),
  };
  /** Keys of the Web Push subscriptions, by path. */
  readonly #subscriptions = new Map<string, { pair: ECDH; auth: Buffer }>();

  private constructor(
    private readonly http2: Http2Server,
    private readonly http: Server,
  ) {}

  static async open(): Promise<PushProviders> {
    const providers = new PushProviders(createHttp2Server(), createServer());
    providers.http2.on('stream', (stream, headers) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('error', () => undefined);
      stream.on('end', () => {
        void providers.#respondOn(stream, headers, Buffer.concat(parts));
      });
    });
    providers.http.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        void providers.#respond(request, response, Buffer.concat(parts));
      });
    });
    for (const server of [providers.http2, providers.http]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    return providers;
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  /** Environment of a service that sends to these providers. */
  get env(): NodeJS.ProcessEnv {
    const apns = `http://127.0.0.1:${(this.http2.address() as AddressInfo).port}`;
    return {
      APNS_KEY_ID: 'KEYID12345',
      APNS_TEAM_ID: 'TEAM123456',
      APNS_KEY: pem(apnsKeys.privateKey, 'pkcs8'),
      APNS_TOPICS: 'com.example.app,com.example.other',
      APNS_URL: apns,
      APNS_SANDBOX_URL: `${apns}/sandbox`,
      FCM_SERVICE_ACCOUNT: JSON.stringify({
        project_id: 'p',
        client_email: 'push@p.example',
        private_key: pem(googleKeys.privateKey, 'pkcs8'),
        token_uri: `${this.#origin}/token`,
      }),
      FCM_URL: this.#origin,
      // Without the leading zeros of a small number it would be shorter than 32 bytes.
      VAPID_PRIVATE_KEY: Buffer.from(vapid.getPrivateKey('hex').padStart(64, '0'), 'hex').toString(
        'base64url',
      ),
      VAPID_SUBJECT: 'mailto:operator@example.com',
      PUSH_GATEWAY_URL: `${this.#origin}/gateway`,
      PUSH_GATEWAY_SECRET: 'the-secret-of-the-gateway-of-the-tests',
      OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1/32',
    };
  }

  /** Makes a subscription of a browser. */
  subscribe(name: string): { endpoint: string; p256dh: string; auth: string } {
    const pair = createECDH('prime256v1');
    pair.generateKeys();
    const auth = randomBytes(16);
    this.#subscriptions.set(`/web/${name}`, { pair, auth });
    return {
      endpoint: `${this.#origin}/web/${name}`,
      p256dh: pair.getPublicKey('base64url'),
      auth: auth.toString('base64url'),
    };
  }

  /** All requests, of all providers. */
  get all(): PushRequest[] {
    return [this.apns, this.fcm, this.webPush, this.gateway].flat();
  }

  /** Forgets the requests. */
  clear(): void {
    for (const list of [this.apns, this.fcm, this.webPush, this.gateway]) list.length = 0;
  }

  async close(): Promise<void> {
    this.http.closeAllConnections();
    this.http.close();
    this.http2.close();
    await once(this.http, 'close');
  }

  #toRequest(path: string, headers: IncomingHttpHeaders, body: Buffer): PushRequest {
    return { path, headers, body: JSON.parse(body.toString()) as PushRequest['body'], at: Date.now() };
  }

  async #respondOn(stream: ServerHttp2Stream, headers: IncomingHttp2Headers, body: Buffer): Promise<void> {
    const request = this.#toRequest(String(headers[':path']), headers, body);
    this.apns.push(request);
    const reply = await this.replies.apns(request);
    if (reply === undefined || stream.destroyed) return;
    stream.respond({ ':status': reply.status, ...reply.headers });
    stream.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
  }

  async #respond(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const reply = await this.#answer(String(request.url), request.headers, body);
    if (reply === undefined) return;
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
  }

  async #answer(path: string, headers: IncomingHttpHeaders, body: Buffer): Promise<PushReply | undefined> {
    if (path === '/token') return this.#issueToken(body);
    if (path === '/gateway') {
      const request = this.#toRequest(path, headers, body);
      this.gateway.push(request);
      return this.replies.gateway(request);
    }
    if (path === '/v1/projects/p/messages:send') {
      const request = this.#toRequest(path, headers, body);
      this.fcm.push(request);
      return headers.authorization?.startsWith('Bearer access-')
        ? this.replies.fcm(request)
        : { status: 401, body: { error: { status: 'UNAUTHENTICATED' } } };
    }
    const request = await this.#readWebPush(path, headers, body);
    this.webPush.push(request);
    return this.replies.webPush(request);
  }

  async #issueToken(body: Buffer): Promise<PushReply> {
    const assertion = new URLSearchParams(body.toString()).get('assertion') ?? '';
    const key = await importSPKI(pem(googleKeys.publicKey, 'spki'), 'RS256');
    await jwtVerify(assertion, key, { issuer: 'push@p.example', audience: `${this.#origin}/token` });
    this.tokensIssued += 1;
    return { status: 200, body: { access_token: `access-${this.tokensIssued}`, expires_in: 3600 } };
  }

  /** Verifies the VAPID token and decrypts the payload, as a push service and a browser do. */
  async #readWebPush(path: string, headers: IncomingHttpHeaders, body: Buffer): Promise<PushRequest> {
    const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
    const point = Buffer.from(key, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
    const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256');
    await jwtVerify(token, publicKey, { audience: this.#origin, subject: 'mailto:operator@example.com' });
    const subscription = this.#subscriptions.get(path);
    if (subscription === undefined) throw new Error(`No subscription ${path}`);
    const { pair, auth } = subscription;
    const plain = decrypt(body, {
      version: 'aes128gcm',
      privateKey: pair,
      authSecret: auth.toString('base64url'),
    });
    return this.#toRequest(path, headers, plain);
  }
}

/** Verifies the provider token of a request to APNs, and returns its claims. */
export async function verifiedApnsToken({ headers }: PushRequest): Promise<Record<string, unknown>> {
  const key = await importSPKI(pem(apnsKeys.publicKey, 'spki'), 'ES256');
  const { payload, protectedHeader } = await jwtVerify(
    String(headers.authorization).replace('bearer ', ''),
    key,
  );
  return { ...payload, ...protectedHeader };
}
