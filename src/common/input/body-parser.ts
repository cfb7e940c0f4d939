import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestBody } from './request-body';

export const BODY_LIMIT = 1024 * 1024;

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/gi;
/** UTF-8, and ASCII, which is a part of it. */
const UTF_8 = /^(utf-?8|us-ascii)$/i;
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/**
 * Registers what collects bodies, and does not look into them: JSON, or CSV, of at most 1 MiB in UTF-8 becomes a `RequestBody`;
 * so does anything else that is not empty, as an unreadable one.
 */
export function registerBodyParser(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    // Fastify refuses what is no media type before the guards; as an unknown one it waits its turn.
    const type = request.headers['content-type'];
    if (type !== undefined && !MEDIA_TYPE.test(type))
      request.headers['content-type'] = 'application/octet-stream';
    done();
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    /^application\/([\w.+-]+\+)?json\b/i,
    collector((bytes) => new RequestBody(bytes)),
  );
  fastify.addContentTypeParser(
    /^text\/csv\s*(;|$)/i,
    collector((bytes) => RequestBody.csv(bytes)),
  );
  fastify.addContentTypeParser('*', collector());
}

/** @param read what a body of this type is; of all other types they are empty, or unreadable */
function collector(read?: (bytes: Buffer) => RequestBody) {
  return async (request: FastifyRequest, payload: IncomingMessage): Promise<RequestBody> => {
    const bytes = await readBytes(payload);
    if (bytes === undefined) return RequestBody.unreadable('BODY_TOO_LARGE', Infinity);
    if (bytes.length === 0) return new RequestBody(bytes);
    if (read !== undefined && !isEncoded(request) && isUtf8(request)) return read(bytes);
    return RequestBody.unreadable('UNSUPPORTED_MEDIA_TYPE', bytes.length);
  };
}

/** Compressed bodies are not taken: a small one may be a very large one. */
function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity';
}

/** Returns true unless the type names another character set: its text could be read as something else. */
function isUtf8({ headers }: FastifyRequest): boolean {
  const named = Array.from((headers['content-type'] ?? '').matchAll(CHARSET), ([, charset = '']) => charset);
  return named.every((charset) => UTF_8.test(charset));
}

/** The whole stream, or undefined when it is longer than the limit; the rest is then left unread. */
function readBytes(payload: IncomingMessage): Promise<Buffer | undefined> {
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
    payload.on('end', () => resolve(Buffer.concat(chunks)));
    // The client went away; nobody will hear the answer.
    payload.on('error', () => resolve(Buffer.from('{')));
  });
}
