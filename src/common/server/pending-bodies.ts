import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TimeoutSet } from '../concurrency/timeout-set';
import { BusinessError } from '../errors/business-error';
import type { ErrorKey } from '../errors/error-catalogue';
import { addressKey } from './address-key';
import { BODY_LIMIT } from '../input/body-parser';
import { TIMINGS } from '../timings';

/**
 * A body that is not complete after this time counts as slow. Nearly all bodies arrive with their headers or shortly
 * after.
 */
const SLOW_AFTER_MS = 1_000;
/** Maximum number of slow bodies per address. */
const MAX_SLOW_PER_ADDRESS = 32;
/** Maximum size of the incomplete bodies of one address. The maximum of all addresses is four times that. */
const MAX_BYTES_PER_ADDRESS = 16 * 1024 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Minimum growth of an incomplete body in each `bodyGrowsWithinMs`. */
const MIN_GROWTH_BYTES = 8 * 1024;
const RETRY_AFTER_SECONDS = 1;

/** Incomplete bodies of an address. */
interface Sender {
  bodies: number;
  slow: number;
  bytes: number;
}

type Reject = (key: ErrorKey) => void;

/**
 * Limits the request bodies that are being received, by address. They occupy no slot of the requests in flight, so they
 * have separate limits: a client that sends too many slow bodies, too much or too slowly gets an error, and its
 * connection is closed.
 */
export class PendingBodies {
  readonly #senders = new Map<string, Sender>();
  readonly #young = new TimeoutSet(SLOW_AFTER_MS);
  readonly #moving = new TimeoutSet(TIMINGS.bodyGrowsWithinMs);
  readonly #whole = new TimeoutSet(TIMINGS.requestWithinMs);
  #bytes = 0;

  /**
   * Watches a body until it is complete or its client has disconnected.
   * @param address `addressKey` of the client's address
   * @param reject called at most once, if the body exceeds a limit
   */
  watch(body: Readable, address: string, reject: Reject): void {
    const sender = this.#senders.get(address) ?? { bodies: 0, slow: 0, bytes: 0 };
    this.#senders.set(address, sender);
    sender.bodies += 1;
    let length = 0;
    let isSlow = false;
    let isOver = false;
    let endMoving: () => void;

    const abort = (key: ErrorKey): void => {
      finish();
      reject(key);
    };
    // If the process was blocked, data that has arrived meanwhile is read before a body is judged.
    const unlessOver = (judge: () => void) => () =>
      void setImmediate(() => {
        if (!isOver) judge();
      });
    const expectMore = (lengthBefore: number): void => {
      const judge = (): void => {
        if (length - lengthBefore < MIN_GROWTH_BYTES) abort('BAD_REQUEST');
        else expectMore(length);
      };
      endMoving = this.#moving.start(unlessOver(judge));
    };
    const judgeYoung = (): void => {
      if (sender.slow >= MAX_SLOW_PER_ADDRESS) return abort('TOO_MANY_REQUESTS');
      isSlow = true;
      sender.slow += 1;
    };
    const endYoung = this.#young.start(unlessOver(judgeYoung));
    const endWhole = this.#whole.start(unlessOver(() => abort('BAD_REQUEST')));
    const finish = (): void => {
      if (isOver) return;
      isOver = true;
      endYoung();
      endWhole();
      endMoving();
      this.#bytes -= length;
      sender.bytes -= length;
      sender.bodies -= 1;
      if (isSlow) sender.slow -= 1;
      if (sender.bodies === 0) this.#senders.delete(address);
    };

    expectMore(0);
    body.on('data', (chunk: Buffer) => {
      if (isOver) return;
      length += chunk.length;
      sender.bytes += chunk.length;
      this.#bytes += chunk.length;
      if (sender.bytes > MAX_BYTES_PER_ADDRESS) abort('TOO_MANY_REQUESTS');
      else if (this.#bytes > MAX_TOTAL_BYTES) abort('UNAVAILABLE');
    });
    body.on('end', finish);
    body.on('close', finish);
  }
}

/** Limits the incomplete bodies of a server. */
export function limitPendingBodies(fastify: FastifyInstance): void {
  const bodies = new PendingBodies();
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    if (isBodyRead(request)) bodies.watch(payload, addressKey(request.ip), (key) => reject(reply, key));
    done(null, payload);
  });
}

/**
 * Whether the request has a body that the parser reads to its end. False if it is rejected for its declared length, and
 * for uploads, which have limits of their own.
 */
function isBodyRead({ method, headers, routeOptions }: FastifyRequest): boolean {
  if (routeOptions.config.isStreamedUpload === true) return false;
  if (method === 'GET' || method === 'HEAD') return false;
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = Number(headers['content-length'] ?? 0);
  return length > 0 && length <= BODY_LIMIT;
}

/**
 * Responds with the error and closes the connection, which cannot be reused because the rest of the body is not read.
 */
function reject(reply: FastifyReply, key: ErrorKey): void {
  if (reply.sent) return void reply.raw.destroy();
  const retryAfterSeconds = key === 'BAD_REQUEST' ? undefined : RETRY_AFTER_SECONDS;
  void reply.header('Connection', 'close').send(new BusinessError(key, { retryAfterSeconds }));
}
