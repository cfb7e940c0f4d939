import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config';
import { BusinessError } from '../errors/business-error';
import { ERRORS, type ErrorKey } from '../errors/error-catalogue';
import { wordsOf } from '../words/languages';

/* What Node would answer by itself, without a body or not at all, answered in the envelope (contract 1.1). */

/** Node's own note on a socket of the answer under way; Node's default handler looks at it too. */
type AnsweringSocket = Socket & { _httpMessage?: ServerResponse | null };

/** How long a client may take to read such an answer and hang up: its connection has left the care of the server. */
const LINGER_MS = 2_000;

const TOO_LARGE = new Set(['HPE_HEADER_OVERFLOW', 'HPE_CHUNK_EXTENSIONS_OVERFLOW']);

/** For a request that cannot even be read as HTTP, whose headers are too large, or that does not arrive in time. */
export function answerUnreadable(
  error: NodeJS.ErrnoException,
  socket: AnsweringSocket,
  config: Config,
): void {
  const nobodyAsked = error.code === 'ECONNRESET' || socket.bytesRead === 0;
  // An answer that is on its way, such as an event stream, must not get another one into its middle.
  if (nobodyAsked || !socket.writable || socket._httpMessage?.headersSent === true) socket.destroy();
  else answer(socket, TOO_LARGE.has(error.code ?? '') ? 'BODY_TOO_LARGE' : 'BAD_REQUEST', config);
}

/** Sees to what Node has events of its own for. */
export function answerForNode(fastify: FastifyInstance, config: Config): void {
  const { server } = fastify;
  // Expectations besides 100-continue may be ignored (RFC 9110, 10.1.1); Node would answer 417.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
  // This is no proxy; Node would hang up without a word.
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy()).resume();
    answer(socket, 'ROUTE_NOT_FOUND', config);
  });
  // HTTP/1.1 asks for a Host header (RFC 9112, 3.2). Node is told not to look (`requireHostHeader`).
  fastify.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    const isWithoutHost = headers.host === undefined && raw.httpVersion === '1.1';
    const isBad = isWithoutHost || isRepeated('host', raw) || isRepeated('authorization', raw);
    done(isBad ? new BusinessError('BAD_REQUEST') : undefined);
  });
}

/** Returns true when a header occurs more than once. Node keeps the first, where a proxy may have checked the last. */
function isRepeated(name: string, { rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) count += 1;
  return count > 1;
}

/** Writes a whole answer onto a socket, and ends it, whatever the client does. */
function answer(socket: Socket, key: ErrorKey, config: Config): void {
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  const { code, status } = ERRORS[key];
  const body = JSON.stringify({ code, message: wordsOf(config).errors[key], data: null });
  socket.end(
    [
      `HTTP/1.1 ${config.httpStatusMode === 'always_200' ? 200 : status} -`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
