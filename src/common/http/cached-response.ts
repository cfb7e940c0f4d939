import { createHash } from 'node:crypto';
import { constants } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressAs, type Encoding, encodingFor, varyByEncoding } from './encodings';

/** The defaults of @fastify/compress. Higher levels take much more time and save few bytes. */
const LEVELS = { br: 4, gzip: constants.Z_DEFAULT_COMPRESSION };
const MIN_COMPRESSED_BYTES = 1024;

/**
 * A response kept in serialised form. It is compressed at most once per content coding, on the first request for that
 * coding.
 */
export class CachedResponse {
  readonly #bytes: Buffer;
  /** Weak, because all content codings share it. */
  readonly #etag: string;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  /** @param type media type of `text` */
  constructor(
    text: string,
    private readonly type = 'application/json; charset=utf-8',
  ) {
    this.#bytes = Buffer.from(text);
    this.#etag = `W/"${createHash('sha1').update(this.#bytes).digest('base64url')}"`;
  }

  /** Sets status and headers of the reply and returns its body; undefined (304) if the client's copy is current. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | undefined> {
    varyByEncoding(reply);
    void reply.headers({ ETag: this.#etag, 'Cache-Control': 'private, no-cache' });
    if (matchesETag(this.#etag, request.headers['if-none-match'])) {
      void reply.status(304);
      return undefined;
    }
    void reply.type(this.type);
    const encoding = encodingFor(request);
    if (encoding === null || this.#bytes.length < MIN_COMPRESSED_BYTES) return this.#bytes;
    void reply.header('Content-Encoding', encoding);
    return this.#compress(encoding);
  }

  #compress(encoding: Encoding): Promise<Buffer> {
    const compressed = this.#compressed.get(encoding) ?? compressAs(encoding, this.#bytes, LEVELS);
    this.#compressed.set(encoding, compressed);
    return compressed;
  }
}

const opaqueTag = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether `If-None-Match` contains the tag, by the weak comparison of RFC 9110 13.1.2. */
function matchesETag(etag: string, ifNoneMatch: string | undefined): boolean {
  return (ifNoneMatch ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || opaqueTag(tag) === opaqueTag(etag));
}
