import { constants } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerKey } from '../auth/caller';
import { currentCaller, mayOwe } from '../concurrency/current-caller';
import { FairQueue } from '../concurrency/fair-queue';
import type { DebtOptions } from '../concurrency/work-debts';
import { compressAs, type Encoding, encodingFor, varyByEncoding } from '../http/encodings';

/** Responses of at least this size are compressed here; smaller ones by `@fastify/compress`. */
const LARGE_BYTES = 64 * 1024;
/** UTF-16 code units from which encoding a text before it is sent takes less time than it saves. */
const LONG_TEXT = 4 * 1024;
/** Half of libuv's four threads; the other half is for password hashing, DNS and files. */
const MAX_CONCURRENT = 2;
/** Maximum number of UTF-8 bytes per UTF-16 code unit of a string. */
const MAX_BYTES_PER_UNIT = 3;
/** Disables `@fastify/compress` for one response. */
const NO_COMPRESSION = 'x-no-compression';

const COMPRESSIBLE = /^(application\/json|text\/(?!event-stream))/;

/**
 * The fastest level of each coding. For a page of 100 long messages (3 MB), brotli takes 8 ms at quality 1 and 30 to 80
 * ms at quality 4, and the result has the same size.
 */
const LEVELS = { br: constants.BROTLI_MIN_QUALITY + 1, gzip: constants.Z_BEST_SPEED };

/** A response of 200 KiB, which takes 5 ms of processor time with its queries, costs 50 ms. */
const BYTES_PER_MS_OF_DEBT = 4 * 1024;
/**
 * Debts of users for the size of their large responses. Clients that wait for each response before the next request
 * have none, because they use only a part of one core.
 */
const DEBTS: DebtOptions = {
  debtMs: (bytes, caller) => (mayOwe(caller) ? bytes / BYTES_PER_MS_OF_DEBT : 0),
  allowanceMs: 1_000,
  aloneFactor: 0,
};

/**
 * Compresses responses of 64 KiB and more at the fastest level, at most two at a time, with callers in turn. Responses
 * to HEAD and to clients that accept no compression also wait for a turn, because they cost as much to read and
 * serialise. Otherwise a user with many concurrent large responses would use the processor time of all others. Must be
 * called before `@fastify/compress` is registered, which skips these responses.
 */
export function compressLargeBodies(fastify: FastifyInstance): void {
  const turns = new FairQueue({ slots: MAX_CONCURRENT, perCaller: MAX_CONCURRENT, debts: DEBTS });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!isLarge(payload) || !mayBeCompressed(reply)) return done(null, encodeLong(payload));
    varyByEncoding(reply);
    const isPlain = request.method === 'HEAD' || request.headers[NO_COMPRESSION] !== undefined;
    const encoding = isPlain ? null : encodingFor(request);
    if (encoding === null) request.headers[NO_COMPRESSION] = 'true';
    void inTurn(payload, encoding, request, reply).then((compressed) => {
      // A 503 may have been sent meanwhile because of the time-out; a second response would log a warning.
      if (isOver(reply)) return;
      if (compressed !== undefined) void reply.header('Content-Encoding', encoding);
      return done(null, compressed ?? payload);
    });
  });

  /**
   * Waits for the caller's turn and compresses the payload. Returns undefined if the payload is to be sent
   * uncompressed.
   */
  async function inTurn(
    payload: string | Buffer,
    encoding: Encoding | null,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Buffer | undefined> {
    // Requests outside /api have no caller; their address is used instead.
    const leave = await turns.acquire(currentCaller() ?? callerKey({ ip: request.ip }));
    try {
      if (encoding === null || isOver(reply)) return undefined;
      // Allocated only when it is its turn, because a caller may have fifty waiting responses.
      const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
      return await compressAs(encoding, bytes, LEVELS);
    } catch {
      return undefined;
    } finally {
      leave(Buffer.byteLength(payload));
    }
  }
}

/**
 * Encodes a long text. Otherwise Fastify would count its bytes, and Node would copy it behind the headers and encode both
 * as one text: a page of history would take 4 to 9 % more processor time.
 */
const encodeLong = (payload: unknown): unknown =>
  typeof payload === 'string' && payload.length >= LONG_TEXT ? Buffer.from(payload) : payload;

const isOver = ({ raw }: FastifyReply): boolean => raw.headersSent || raw.destroyed;

/** Returns true for a complete body of at least `LARGE_BYTES`; false for streams. */
function isLarge(payload: unknown): payload is string | Buffer {
  if (typeof payload === 'string') {
    return (
      payload.length * MAX_BYTES_PER_UNIT >= LARGE_BYTES &&
      (payload.length >= LARGE_BYTES || Buffer.byteLength(payload) >= LARGE_BYTES)
    );
  }
  return Buffer.isBuffer(payload) && payload.length >= LARGE_BYTES;
}

const mayBeCompressed = (reply: FastifyReply): boolean =>
  reply.getHeader('Content-Encoding') === undefined &&
  reply.getHeader('Content-Range') === undefined &&
  COMPRESSIBLE.test(String(reply.getHeader('Content-Type')));
