import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Encoding, encodingFor, varyByEncoding } from '../http/encodings';

/** From this size on an answer is compressed here; below it by `@fastify/compress`. */
const LARGE_BYTES = 64 * 1024;
/** Half of libuv's four threads; the others are left to passwords, DNS and files. */
const MAX_CONCURRENT = 2;
/** A string of UTF-16 has at most so many bytes in UTF-8 for each of its units. */
const MAX_BYTES_PER_UNIT = 3;
/** Switches `@fastify/compress` off for one answer. */
const NO_COMPRESSION = 'x-no-compression';

const COMPRESSIBLE = /^(application\/json|text\/(?!event-stream))/;

type Compressed = (error: Error | null, compressed: Buffer) => void;

/*
 * The cheapest level of each. For a page of 100 long messages (3 MB) brotli takes 8 ms at quality 1 and 30 to 80 ms at
 * quality 4, and the result has the same size.
 */
const COMPRESSORS: Record<Encoding, (bytes: Buffer, done: Compressed) => void> = {
  br: (bytes, done) =>
    brotliCompress(
      bytes,
      {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY + 1,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      },
      done,
    ),
  gzip: (bytes, done) => gzip(bytes, { level: constants.Z_BEST_SPEED }, done),
};

/**
 * Compresses answers of 64 KiB and more at the cheapest level, at most two at a time; any further one is sent as it is, as
 * are answers to HEAD. Otherwise a user who reads long histories takes the processor time of all others. Must be called
 * before `@fastify/compress` is registered, which leaves these answers alone.
 */
export function compressLargeBodies(fastify: FastifyInstance): void {
  let running = 0;
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!isLarge(payload) || !mayBeCompressed(request, reply)) return done(null, payload);
    varyByEncoding(reply);
    const encoding = encodingFor(request);
    if (encoding === null || request.method === 'HEAD' || running >= MAX_CONCURRENT) {
      request.headers[NO_COMPRESSION] = 'true';
      return done(null, payload);
    }
    running += 1;
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    COMPRESSORS[encoding](bytes, (error, compressed) => {
      running -= 1;
      // Meanwhile a 503 may have been sent because the request took too long; a second answer would be a warning in the log.
      if (reply.raw.headersSent) return;
      if (error !== null) return done(null, payload);
      void reply.header('Content-Encoding', encoding);
      done(null, compressed);
    });
  });
}

/** Returns true for a whole body of at least `LARGE_BYTES`; streams are never large. */
function isLarge(payload: unknown): payload is string | Buffer {
  if (typeof payload === 'string') {
    return (
      payload.length * MAX_BYTES_PER_UNIT >= LARGE_BYTES &&
      (payload.length >= LARGE_BYTES || Buffer.byteLength(payload) >= LARGE_BYTES)
    );
  }
  return Buffer.isBuffer(payload) && payload.length >= LARGE_BYTES;
}

const mayBeCompressed = ({ headers }: FastifyRequest, reply: FastifyReply): boolean =>
  headers[NO_COMPRESSION] === undefined &&
  reply.getHeader('Content-Encoding') === undefined &&
  reply.getHeader('Content-Range') === undefined &&
  COMPRESSIBLE.test(String(reply.getHeader('Content-Type')));
