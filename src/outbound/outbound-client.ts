import type { LookupFunction } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, type Dispatcher, errors } from 'undici';
import { TIMINGS } from '../common/timings';
import { sendInTrace } from '../common/tracing/current-trace';
import { AddressPolicy } from './address-policy';
import { discardBody, readResponseBody } from './response-body';
import { NameResolver } from './name-resolver';
import { OutboundError } from './outbound-error';

const RESPONSE_TIMEOUT_MS = 15_000;
/** Idle connections are closed after 4 s, before receivers usually close them. */
const IDLE_TIMEOUT_MS = 4_000;
/** Repeats of a request whose idle connection was closed: the next connection may be idle and closed too. */
const MAX_REPEATS = 2;
/** Requests in flight on one HTTP/2 connection; more open another connection. */
const MAX_STREAMS = 100;

/** Headers and body of a POST request. */
export interface OutboundPost {
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Trace that the request belongs to. */
  traceparent?: string | null;
  /** Aborts the request. */
  signal?: AbortSignal;
  /** Timeout of the response in milliseconds; 15,000 by default and at most. */
  withinMs?: number;
  /**
   * `checked` (default): a URL that users configure, whose addresses must be allowed. `trusted`: a URL of the operator's
   * configuration, whose addresses are not checked. `http2`: trusted, and its server speaks HTTP/2; plain http then means
   * HTTP/2 without TLS.
   */
  to?: 'checked' | 'trusted' | 'http2';
  /** Also returns the body of a success. */
  readsSuccess?: boolean;
}

/** The response to a POST request. */
export interface OutboundAnswer {
  status: number;
  /** The header `Retry-After`, if present. */
  retryAfter?: string;
  /** First 64 KiB of the body of a failure; '' for a success (2xx), whose body is not awaited unless it is asked for. */
  text: string;
}

/**
 * Sends POST requests by HTTP/1.1 or HTTP/2, as the server prefers. URLs that users configure (API 14.5) are protected
 * against SSRF: the addresses of a name are checked in the lookup of the connection itself, so a second lookup cannot
 * return others (DNS rebinding), and one address that is not allowed rejects the request. Redirects are not followed and
 * proxy variables are not read. Certificates are verified regardless of `NODE_TLS_REJECT_UNAUTHORIZED`.
 */
@Injectable()
export class OutboundClient implements OnApplicationShutdown {
  readonly #plain: Agent;
  readonly #encrypted: Agent;
  readonly #trusted = agent({});
  readonly #http2 = agent({ pipelining: MAX_STREAMS, maxConcurrentStreams: MAX_STREAMS, useH2c: true });

  constructor(
    private readonly policy: AddressPolicy,
    private readonly names: NameResolver,
  ) {
    this.#plain = agent({ lookup: this.#lookupFor(false) });
    this.#encrypted = agent({ lookup: this.#lookupFor(true) });
  }

  /** Closes all connections. Runs after the senders have stopped, because it aborts running requests. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(
      [this.#plain, this.#encrypted, this.#trusted, this.#http2].map((agents) => agents.destroy()),
    );
  }

  /**
   * @returns the response, with any status
   * @throws {OutboundError} with the reason if there is no response
   */
  async post(url: string, post: OutboundPost): Promise<OutboundAnswer> {
    const target = new URL(url);
    const isChecked = (post.to ?? 'checked') === 'checked';
    if (isChecked && !this.policy.mayAllow(target)) throw new OutboundError('address_not_allowed');
    const timeout = AbortSignal.timeout(Math.min(post.withinMs ?? RESPONSE_TIMEOUT_MS, RESPONSE_TIMEOUT_MS));
    try {
      return await sendInTrace(post.traceparent, (trace) =>
        this.#exchange(target, { ...post, headers: { ...post.headers, ...trace } }, timeout),
      );
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (timeout.aborted) throw new OutboundError('timeout');
      if (post.signal?.aborted) throw new OutboundError('stopped');
      throw new OutboundError(failureOf(error));
    }
  }

  async #exchange(target: URL, post: OutboundPost, timeout: AbortSignal): Promise<OutboundAnswer> {
    const { statusCode: status, headers, body } = await this.#send(target, post, timeout);
    const retryAfter = headers['retry-after'];
    const isSuccess = status >= 200 && status <= 299;
    if (isSuccess && post.readsSuccess !== true) {
      discardBody(body);
      return { status, text: '' };
    }
    const text = await readResponseBody(body);
    return { status, retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, text };
  }

  /**
   * Sends the request and returns the response with its headers. Repeats it if the receiver had closed the reused
   * connection.
   */
  async #send(target: URL, post: OutboundPost, timeout: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { headers, body, signal } = post;
    for (let repeats = 0; ; repeats += 1) {
      try {
        return await this.#agentFor(target, post).request({
          origin: target.origin,
          path: target.pathname + target.search,
          method: 'POST',
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
          body,
          signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
          // The signals limit the time.
          headersTimeout: 0,
          bodyTimeout: 0,
        });
      } catch (error) {
        const isOver = repeats === MAX_REPEATS || timeout.aborted || signal?.aborted;
        if (isOver || !wasIdleConnection(error)) throw error;
      }
    }
  }

  #agentFor({ protocol }: URL, { to = 'checked' }: OutboundPost): Agent {
    if (to === 'trusted') return this.#trusted;
    if (to === 'http2') return this.#http2;
    return protocol === 'https:' ? this.#encrypted : this.#plain;
  }

  /**
   * Returns the lookup function of a connection, which checks the addresses. Node does not call it for an IP address in
   * a URL.
   */
  #lookupFor(isEncrypted: boolean): LookupFunction {
    return (name, { all }, callback) => {
      const checked = this.names.addressesOf(name).then((addresses) => {
        const areAllowed = addresses.every(({ address }) => this.policy.allows(address, { isEncrypted }));
        const [first] = addresses;
        if (first === undefined || !areAllowed) throw new OutboundError('address_not_allowed');
        return { addresses, first };
      });
      checked.then(
        ({ addresses, first }) =>
          all ? callback(null, addresses) : callback(null, first.address, first.family),
        (error: NodeJS.ErrnoException) => callback(error, []),
      );
    };
  }
}

const agent = ({
  lookup,
  useH2c,
  ...options
}: Pick<Agent.Options, 'pipelining' | 'maxConcurrentStreams'> & {
  useH2c?: boolean;
  lookup?: LookupFunction;
}): Agent =>
  new Agent({
    ...options,
    allowH2: true,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    keepAliveMaxTimeout: IDLE_TIMEOUT_MS,
    connect: {
      lookup,
      useH2c,
      timeout: TIMINGS.connectWithinMs,
      rejectUnauthorized: true,
    } as Agent.Options['connect'],
  });

/** Message of the client's error for a response that changes the protocol. */
const BAD_UPGRADE = 'bad upgrade';

/** Whether the receiver closed a connection that had transferred an earlier response, instead of responding. */
const wasIdleConnection = (error: unknown): boolean =>
  error instanceof errors.SocketError && error.message !== BAD_UPGRADE && (error.socket?.bytesRead ?? 0) > 0;

function failureOf(error: unknown): string {
  if (error instanceof errors.ConnectTimeoutError) return 'connect_timeout';
  if (error instanceof errors.SocketError) return error.message === BAD_UPGRADE ? 'no_answer' : 'ECONNRESET';
  const { code, cause } = error as NodeJS.ErrnoException;
  return code ?? (cause as NodeJS.ErrnoException | undefined)?.code ?? 'failed';
}
