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
import { discardBody, readBody } from './answer-body';
import { NameResolver } from './name-resolver';
import { OutboundError } from './outbound-error';

const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 15_000;
/** Connections at rest are kept for less than receivers usually keep theirs. */
const AGENT = { keepAlive: true, scheduling: 'lifo', timeout: 4_000 } as const;

/** What is posted. */
export interface OutboundPost {
  headers: Record<string, string>;
  body: string;
  /** Ends the request early. */
  signal?: AbortSignal;
  /** Within how many milliseconds the answer must be there; 15,000, which is the most. */
  withinMs?: number;
}

/** The answer to a post. */
export interface OutboundAnswer {
  status: number;
  /** The header `Retry-After`, where there is one. */
  retryAfter?: string;
  /** At most 64 KiB of what a failure says; '' of a success (2xx), which is one as soon as its head is there. */
  text: string;
}

/**
 * Posts to addresses that others have chosen (contract 12.2). Every address of a name is looked at in the look-up by which
 * its connection is made, so there is no second one that could answer otherwise; one that is not allowed refuses them
 * all. Redirects are not followed and proxy variables not read; certificates are verified, whatever Node was told.
 */
@Injectable()
export class OutboundClient implements OnApplicationShutdown {
  readonly #http = new HttpAgent(AGENT);
  readonly #https = new HttpsAgent({ ...AGENT, rejectUnauthorized: true });

  constructor(
    private readonly policy: AddressPolicy,
    private readonly names: NameResolver,
  ) {}

  /** After everybody who sends has stopped: what is under way would end with it. */
  onApplicationShutdown(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  /**
   * @returns the answer, whatever its status
   * @throws {OutboundError} there is none: why
   */
  async post(url: string, post: OutboundPost): Promise<OutboundAnswer> {
    const target = new URL(url);
    if (!this.policy.mayAllow(target)) throw new OutboundError('address_not_allowed');
    const overdue = AbortSignal.timeout(Math.min(post.withinMs ?? ANSWER_WITHIN_MS, ANSWER_WITHIN_MS));
    try {
      return await this.#exchange(target, post, overdue);
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (overdue.aborted) throw new OutboundError('timeout');
      if (post.signal?.aborted) throw new OutboundError('stopped');
      throw new OutboundError((error as NodeJS.ErrnoException).code ?? 'failed');
    }
  }

  async #exchange(target: URL, post: OutboundPost, overdue: AbortSignal): Promise<OutboundAnswer> {
    const answer = await this.#send(target, post, overdue);
    const { statusCode: status = 0, headers } = answer;
    const retryAfter = headers['retry-after'];
    if (status < 200 || status > 299) return { status, retryAfter, text: await readBody(answer) };
    discardBody(answer);
    return { status, text: '' };
  }

  /** The head of the answer. What a connection that had rested was not told any more is told over another one. */
  async #send(target: URL, post: OutboundPost, overdue: AbortSignal): Promise<IncomingMessage> {
    for (;;) {
      const sent = this.#request(target, post, overdue);
      try {
        return await answerTo(sent, post.body);
      } catch (error) {
        const wasClosed = sent.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
        if (!wasClosed || overdue.aborted || post.signal?.aborted) throw error;
      }
    }
  }

  #request(target: URL, { headers, body, signal }: OutboundPost, overdue: AbortSignal): ClientRequest {
    const isEncrypted = target.protocol === 'https:';
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: this.#lookupFor(isEncrypted),
      signal: signal === undefined ? overdue : AbortSignal.any([overdue, signal]),
    };
    const sent = isEncrypted
      ? httpsRequest(target, { ...options, agent: this.#https })
      : httpRequest(target, { ...options, agent: this.#http });
    sent.once('socket', (socket: Socket) => limitConnecting(sent, socket, isEncrypted));
    return sent;
  }

  /** The look-up of one connection; of an address in a URL there is none. */
  #lookupFor(isEncrypted: boolean): LookupFunction {
    return (name, { all }, callback) => {
      const found = this.names.addressesOf(name).then((addresses) => {
        const areAllowed = addresses.every(({ address }) => this.policy.allows(address, { isEncrypted }));
        const [first] = addresses;
        if (first === undefined || !areAllowed) throw new OutboundError('address_not_allowed');
        return { addresses, first };
      });
      found.then(
        ({ addresses, first }) =>
          all ? callback(null, addresses) : callback(null, first.address, first.family),
        (error: NodeJS.ErrnoException) => callback(error, []),
      );
    };
  }
}

/** Sends the request with its body; answers the head of the answer, or throws why there is none. */
function answerTo(sent: ClientRequest, body: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const endWithoutAnswer = (): void => reject(new OutboundError('no_answer'));
  sent.once('response', (answer) => {
    sent.off('close', endWithoutAnswer);
    resolve(answer);
  });
  sent.on('error', reject);
  // After a `101 Switching Protocols` that nobody has asked for, there is neither an answer nor an error.
  sent.once('close', endWithoutAnswer);
  sent.end(body);
  return promise;
}

/** The time for finding, connecting and greeting. */
function limitConnecting(sent: ClientRequest, socket: Socket, isEncrypted: boolean): void {
  if (!socket.connecting) return;
  const timer = setTimeout(() => sent.destroy(new OutboundError('connect_timeout')), CONNECT_WITHIN_MS);
  socket.once(isEncrypted ? 'secureConnect' : 'connect', () => clearTimeout(timer));
  socket.once('close', () => clearTimeout(timer));
}
