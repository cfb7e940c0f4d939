import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AddressPolicy } from './address-policy';
import { discardBody, readResponseBody } from './response-body';
import { NameResolver } from './name-resolver';
import { OutboundError } from './outbound-error';

const CONNECT_TIMEOUT_MS = 5_000;
const RESPONSE_TIMEOUT_MS = 15_000;
/** Idle connections are closed after 4 s, before receivers usually close them. */
const AGENT = { keepAlive: true, scheduling: 'lifo', timeout: 4_000 } as const;

/** Headers and body of a POST request. */
export interface OutboundPost {
  headers: Record<string, string>;
  body: string;
  /** Aborts the request. */
  signal?: AbortSignal;
  /** Timeout of the response in milliseconds; 15,000 by default and at most. */
  withinMs?: number;
}

/** The response to a POST request. */
export interface OutboundAnswer {
  status: number;
  /** The header `Retry-After`, if present. */
  retryAfter?: string;
  /** First 64 KiB of the body of a failure; '' for a success (2xx), whose body is not awaited. */
  text: string;
}

/**
 * Sends POST requests to URLs that users configure (API 14.5), protected against SSRF. The addresses of a name are
 * checked in the lookup of the connection itself, so a second lookup cannot return others (DNS rebinding); one address
 * that is not allowed rejects the request. Redirects are not followed and proxy variables are not read. Certificates
 * are verified regardless of `NODE_TLS_REJECT_UNAUTHORIZED`.
 */
@Injectable()
export class OutboundClient implements OnApplicationShutdown {
  readonly #http = new HttpAgent(AGENT);
  readonly #https = new HttpsAgent({ ...AGENT, rejectUnauthorized: true });

  constructor(
    private readonly policy: AddressPolicy,
    private readonly names: NameResolver,
  ) {}

  /** Closes all connections. Runs after the senders have stopped, because it aborts running requests. */
  onApplicationShutdown(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  /**
   * @returns the response, with any status
   * @throws {OutboundError} with the reason if there is no response
   */
  async post(url: string, post: OutboundPost): Promise<OutboundAnswer> {
    const target = new URL(url);
    if (!this.policy.mayAllow(target)) throw new OutboundError('address_not_allowed');
    const timeout = AbortSignal.timeout(Math.min(post.withinMs ?? RESPONSE_TIMEOUT_MS, RESPONSE_TIMEOUT_MS));
    try {
      return await this.#exchange(target, post, timeout);
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (timeout.aborted) throw new OutboundError('timeout');
      if (post.signal?.aborted) throw new OutboundError('stopped');
      throw new OutboundError((error as NodeJS.ErrnoException).code ?? 'failed');
    }
  }

  async #exchange(target: URL, post: OutboundPost, timeout: AbortSignal): Promise<OutboundAnswer> {
    const response = await this.#send(target, post, timeout);
    const { statusCode: status = 0, headers } = response;
    const retryAfter = headers['retry-after'];
    if (status < 200 || status > 299) return { status, retryAfter, text: await readResponseBody(response) };
    discardBody(response);
    return { status, text: '' };
  }

  /**
   * Sends the request and returns the response with its headers. Repeats it if the receiver had closed the reused
   * connection.
   */
  async #send(target: URL, post: OutboundPost, timeout: AbortSignal): Promise<IncomingMessage> {
    for (;;) {
      const request = this.#request(target, post, timeout);
      try {
        return await responseTo(request, post.body);
      } catch (error) {
        const wasClosed = request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
        if (!wasClosed || timeout.aborted || post.signal?.aborted) throw error;
      }
    }
  }

  #request(target: URL, { headers, body, signal }: OutboundPost, timeout: AbortSignal): ClientRequest {
    const isEncrypted = target.protocol === 'https:';
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: this.#lookupFor(isEncrypted),
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    };
    const request = isEncrypted
      ? httpsRequest(target, { ...options, agent: this.#https })
      : httpRequest(target, { ...options, agent: this.#http });
    request.once('socket', (socket: Socket) => limitConnecting(request, socket, isEncrypted));
    return request;
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

/**
 * Sends the request with its body and returns the response when its headers have arrived.
 * @throws the reason if there is none
 */
function responseTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const rejectWithoutResponse = (): void => reject(new OutboundError('no_answer'));
  request.once('response', (response) => {
    request.off('close', rejectWithoutResponse);
    resolve(response);
  });
  request.on('error', reject);
  // An unrequested `101 Switching Protocols` causes neither `response` nor `error`.
  request.once('close', rejectWithoutResponse);
  request.end(body);
  return promise;
}

/** Limits the time for the lookup, the TCP connection and the TLS handshake. */
function limitConnecting(request: ClientRequest, socket: Socket, isEncrypted: boolean): void {
  if (!socket.connecting) return;
  const timer = setTimeout(() => request.destroy(new OutboundError('connect_timeout')), CONNECT_TIMEOUT_MS);
  socket.once(isEncrypted ? 'secureConnect' : 'connect', () => clearTimeout(timer));
  socket.once('close', () => clearTimeout(timer));
}
