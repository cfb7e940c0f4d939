import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BusinessError } from '../errors/business-error';
import type { ErrorKey } from '../errors/error-catalogue';

export const BODY_LIMIT = 1024 * 1024;

const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/**
 * A body that cannot be read, kept as a value: Fastify parses bodies before the guards run, but token, role and path
 * are checked first (contract 1.3), so the error waits here until the pipe asks for the body.
 */
export class UnreadableBody {
  readonly error: BusinessError;

  constructor(key: ErrorKey, cause?: unknown) {
    this.error = new BusinessError(key, { cause });
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes as they came, for signatures over them. */
    rawBody?: Buffer;
  }
}

/** Registers the parsers: JSON of at most 1 MiB; a missing or empty body is `{}`; anything else is `UnreadableBody`. */
export function registerBodyParser(fastify: FastifyInstance): void {
  // Keys such as __proto__ are dropped like any other unknown field.
  const parseJson = fastify.getDefaultJsonParser('remove', 'remove');
  const utf8 = new TextDecoder('utf-8', { fatal: true });

  const read = async (
    request: FastifyRequest,
    payload: IncomingMessage,
    isJson: boolean,
  ): Promise<unknown> => {
    const bytes = await readBytes(payload);
    if (bytes === undefined) return new UnreadableBody('BODY_TOO_LARGE');
    if (bytes.length === 0) return {};
    if (!isJson || isEncoded(request)) return new UnreadableBody('UNSUPPORTED_MEDIA_TYPE');
    request.rawBody = bytes;
    try {
      const text = utf8.decode(bytes);
      return await new Promise((resolve, reject) => {
        void parseJson(request, text, (error, body) => (error ? reject(error) : resolve(body)));
      });
    } catch (error) {
      return new UnreadableBody('MALFORMED_JSON', error);
    }
  };

  fastify.addHook('onRequest', (request, _reply, done) => {
    // Fastify refuses what is no media type before the guards; as an unknown one it waits its turn.
    const type = request.headers['content-type'];
    if (type !== undefined && !MEDIA_TYPE.test(type))
      request.headers['content-type'] = 'application/octet-stream';
    done();
  });
  fastify.removeAllContentTypeParsers();
  const parser = (isJson: boolean) => (request: FastifyRequest, payload: IncomingMessage) =>
    read(request, payload, isJson);
  fastify.addContentTypeParser(/^application\/([\w.+-]+\+)?json\b/i, parser(true));
  fastify.addContentTypeParser('*', parser(false));
}

/** Compressed bodies are not taken: a small one may be a very large one. */
function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity';
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
