import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestBody } from './request-body';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler reads the body as a stream. It has neither the limit of 1 MiB nor the time limits of other bodies. */
    isStreamedUpload?: boolean;
  }
}

export const BODY_LIMIT = 1024 * 1024;

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/gi;
/** UTF-8, and ASCII, which is a subset of it. */
const UTF_8 = /^(utf-?8|us-ascii)$/i;
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/**
 * Registers the content type parsers. They collect bodies without parsing them: JSON or CSV in UTF-8 of at most 1 MiB
 * becomes a readable `RequestBody`, any other non-empty body an unreadable one.
 */
export function registerBodyParser(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    // Fastify rejects a malformed media type before the guards run. As an unknown type it is rejected after them.
    const type = request.headers['content-type'];
    if (type !== undefined && !MEDIA_TYPE.test(type))
      request.headers['content-type'] = 'application/octet-stream';
    done();
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(/^application\/([\w.+-]+\+)?json\b/i, collector('json'));
  fastify.addContentTypeParser(/^text\/csv\s*(;|$)/i, collector('csv'));
  fastify.addContentTypeParser('*', collector());
}

/** @param format supported type of the body; undefined: every non-empty body is unreadable */
function collector(format?: 'json' | 'csv') {
  return async (request: FastifyRequest, payload: IncomingMessage): Promise<RequestBody | undefined> => {
    // The route reads the body itself, after the guards.
    if (request.routeOptions.config.isStreamedUpload === true) return undefined;
    const chunks = await readChunks(payload);
    if (chunks === undefined) return new RequestBody([], Infinity, 'BODY_TOO_LARGE');
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    if (length === 0) return new RequestBody([], 0, 'json');
    if (format !== undefined && !isEncoded(request) && isUtf8(request))
      return new RequestBody(chunks, length, format);
    return new RequestBody([], length, 'UNSUPPORTED_MEDIA_TYPE');
  };
}

/** Returns true for a compressed body. They are rejected, because a small body could expand to a very large one. */
function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity';
}

/** Returns true unless the type names another character set, whose text would be decoded incorrectly. */
function isUtf8({ headers }: FastifyRequest): boolean {
  const named = Array.from((headers['content-type'] ?? '').matchAll(CHARSET), ([, charset = '']) => charset);
  return named.every((charset) => UTF_8.test(charset));
}

/** Reads the whole stream. Returns undefined if it is longer than the limit; the rest is not read. */
function readChunks(payload: IncomingMessage): Promise<Buffer[] | undefined> {
  if (Number(payload.headers['content-length'] ?? 0) > BODY_LIMIT) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    payload.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > BODY_LIMIT) {
        payload.pause();
        resolve(undefined);
      }
    });
    payload.on('end', () => resolve(chunks));
    // The client has disconnected. The incomplete JSON becomes an error response that is never received.
    payload.on('error', () => resolve([Buffer.from('{')]));
  });
}
