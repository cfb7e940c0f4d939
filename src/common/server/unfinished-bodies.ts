import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TimeLimits } from '../concurrency/time-limits';
import { BusinessError } from '../errors/business-error';
import type { ErrorKey } from '../errors/error-catalogue';
import { addressKey } from './address-key';
import { BODY_LIMIT } from '../input/body-parser';
import { TIMINGS } from '../timings';

/** A body is nearly always there with its headers, or a moment later; one that is not is slow. */
const SLOW_AFTER_MS = 1_000;
/** Slow bodies that an address may have under way. */
const SLOW_PER_ADDRESS = 32;
/** What an address may have sent of bodies that are not yet whole; all addresses together four times that. */
const BYTES_PER_ADDRESS = 16 * 1024 * 1024;
const BYTES_IN_ALL = 64 * 1024 * 1024;
/** Minimum growth of a body in each `bodyGrowsWithinMs`, unless it is whole. */
const LEAST_BYTES = 8 * 1024;
const RETRY_AFTER_SECONDS = 1;

/** What an address has under way. */
interface Sender {
  bodies: number;
  slow: number;
  bytes: number;
}

type Refuse = (key: ErrorKey) => void;

/**
 * The bodies that have begun to arrive. They take no place among the requests in flight; so they are bounded by
 * themselves, by address, and whoever sends too many, too much or too slowly loses the connection.
 */
export class UnfinishedBodies {
  readonly #senders = new Map<string, Sender>();
  readonly #young = new TimeLimits(SLOW_AFTER_MS);
  readonly #moving = new TimeLimits(TIMINGS.bodyGrowsWithinMs);
  #bytes = 0;

  /**
   * Watches a body until it is whole or its client is gone.
   * @param address the key of the client's address
   * @param refuse called at most once, when the body is not waited for any longer
   */
  watch(body: Readable, address: string, refuse: Refuse): void {
    const sender = this.#senders.get(address) ?? { bodies: 0, slow: 0, bytes: 0 };
    this.#senders.set(address, sender);
    sender.bodies += 1;
    let length = 0;
    let isSlow = false;
    let isOver = false;
    let endMoving: () => void;

    const giveUp = (key: ErrorKey): void => {
      finish();
      refuse(key);
    };
    // Where this process stood still, what has come meanwhile is read before anybody is called slow.
    const unlessOver = (judge: () => void) => () =>
      void setImmediate(() => {
        if (!isOver) judge();
      });
    const expectMore = (lengthBefore: number): void => {
      const judge = (): void => {
        if (length - lengthBefore < LEAST_BYTES) giveUp('BAD_REQUEST');
        else expectMore(length);
      };
      endMoving = this.#moving.begin(unlessOver(judge));
    };
    const judgeYoung = (): void => {
      if (sender.slow >= SLOW_PER_ADDRESS) return giveUp('TOO_MANY_REQUESTS');
      isSlow = true;
      sender.slow += 1;
    };
    const endYoung = this.#young.begin(unlessOver(judgeYoung));
    const finish = (): void => {
      if (isOver) return;
      isOver = true;
      endYoung();
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
      if (sender.bytes > BYTES_PER_ADDRESS) giveUp('TOO_MANY_REQUESTS');
      else if (this.#bytes > BYTES_IN_ALL) giveUp('UNAVAILABLE');
    });
    body.on('end', finish);
    body.on('close', finish);
  }
}

/** Bounds the bodies that a server has under way. */
export function limitUnfinishedBodies(fastify: FastifyInstance): void {
  const bodies = new UnfinishedBodies();
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    if (isReadOn(request)) bodies.watch(payload, addressKey(request.ip), (key) => refuse(reply, key));
    done(null, payload);
  });
}

/** Whether there is a body that the parser will read to its end: not where it is refused for its length. */
function isReadOn({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = Number(headers['content-length'] ?? 0);
  return length > 0 && length <= BODY_LIMIT;
}

/** The rest of the body is not read, so the connection cannot be used again. */
function refuse(reply: FastifyReply, key: ErrorKey): void {
  if (reply.sent) return void reply.raw.destroy();
  const retryAfterSeconds = key === 'BAD_REQUEST' ? undefined : RETRY_AFTER_SECONDS;
  void reply.header('Connection', 'close').send(new BusinessError(key, { retryAfterSeconds }));
}
