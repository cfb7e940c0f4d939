import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { json } from 'node:stream/consumers';
import { SignJWT } from 'jose';
import type { Reply } from '../../test/support/mixed-traffic';

/** Enough administrators that none reaches the request rate limit. */
const ADMINISTRATORS = Array.from({ length: 50 }, (_, index) => 20_001 + index);

/** Sends requests over keep-alive connections and records their durations in microseconds. */
export class LoadClient {
  requests = 0;
  /** Number of streams that ended; none should. */
  endedStreams = 0;
  events = 0;
  /** Latencies since the last reset. */
  readonly latencies: RecordableHistogram = createHistogram();
  readonly #agent = new Agent({ keepAlive: true });
  readonly #tokens = new Map<number, Promise<string>>();

  constructor(
    private readonly url: string,
    private readonly secret: string,
  ) {}

  send = async (userId: number, method: string, path: string, body?: object): Promise<Reply> => {
    const sender = path.startsWith('/api/admin') ? this.#anAdministrator() : userId;
    const authorization = `Bearer ${await this.token(sender)}`;
    const start = performance.now();
    const sent = request(`${this.url}${path}`, {
      method,
      agent: this.#agent,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    });
    sent.end(body && JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const reply = (await json(response)) as Reply;
    this.latencies.record(Math.max(1, Math.round((performance.now() - start) * 1000)));
    this.requests += 1;
    return reply;
  };

  /** Asks for a compressed response and discards its body. Returns 0 for 200, otherwise the status. */
  download = async (userId: number, path: string): Promise<number> => {
    const authorization = `Bearer ${await this.token(userId)}`;
    const headers = { authorization, 'accept-encoding': 'br' };
    const [response] = (await once(
      get(`${this.url}${path}`, { agent: this.#agent, headers }),
      'response',
    )) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.statusCode === 200 ? 0 : (response.statusCode ?? 500);
  };

  /** Reads a user's event stream until it ends. */
  async listen(userId: number): Promise<void> {
    const authorization = `Bearer ${await this.token(userId)}`;
    const opened = get(`${this.url}/api/events`, { agent: false, headers: { authorization } });
    const [stream] = (await once(opened, 'response')) as [IncomingMessage];
    if (stream.statusCode !== 200) throw new Error(`A stream was rejected: ${stream.statusCode}`);
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => (this.events += text.split('\nevent: ').length - 1));
    stream.on('error', () => undefined);
    stream.on('close', () => (this.endedStreams += 1));
  }

  #anAdministrator(): number {
    return ADMINISTRATORS[this.requests % ADMINISTRATORS.length] ?? 0;
  }

  /** Returns an access token of a user. */
  token(userId: number): Promise<string> {
    const known = this.#tokens.get(userId);
    if (known) return known;
    const role = ADMINISTRATORS.includes(userId) ? 'admin' : 'user';
    const token = new SignJWT({ role, sub: String(userId), exp: 4_102_444_800 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(createSecretKey(Buffer.from(this.secret)));
    this.#tokens.set(userId, token);
    return token;
  }
}
