import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encoding, encodingFor, varyByEncoding } from './encodings';

/** As @fastify/compress has it: more would cost far more time than it saves bytes. */
const BROTLI_QUALITY = 4;
const WORTH_COMPRESSING = 1024;

const COMPRESSORS: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip),
};

/** An answer that is kept as the bytes it is sent as: serialised once, and compressed once in each coding that is asked for. */
export class CachedResponse {
  readonly #bytes: Buffer;
  /** Weak, because it stands for all encodings alike. */
  readonly #etag: string;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  /** @param type the media type of `text` */
  constructor(
    text: string,
    private readonly type = 'application/json; charset=utf-8',
  ) {
    this.#bytes = Buffer.from(text);
    this.#etag = `W/"${createHash('sha1').update(this.#bytes).digest('base64url')}"`;
  }

  /** Prepares the reply and answers its body: the bytes, or nothing (304) when the client has them already. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | undefined> {
    varyByEncoding(reply);
    void reply.headers({ ETag: this.#etag, 'Cache-Control': 'private, no-cache' });
    if (isKnown(this.#etag, request.headers['if-none-match'])) {
      void reply.status(304);
      return undefined;
    }
    void reply.type(this.type);
    const encoding = encodingFor(request);
    if (encoding === null || this.#bytes.length < WORTH_COMPRESSING) return this.#bytes;
    void reply.header('Content-Encoding', encoding);
    return this.#in(encoding);
  }

  #in(encoding: Encoding): Promise<Buffer> {
    const known = this.#compressed.get(encoding);
    if (known) return known;
    const made = COMPRESSORS[encoding](this.#bytes);
    this.#compressed.set(encoding, made);
    return made;
  }
}

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether `If-None-Match` names the tag, by the weak comparison of RFC 9110 13.1.2. */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}
