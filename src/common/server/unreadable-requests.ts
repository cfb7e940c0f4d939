import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config';
import { BusinessError } from '../errors/business-error';
import { ERRORS, type ErrorKey } from '../errors/error-catalogue';
import { catalogueFor } from '../i18n/catalogues';

/* Sends the envelope (API 1.1) where Node would respond by itself without a body, or not at all. */

/** Node stores the current response of a socket in this internal property; Node's default handler reads it too. */
type AnsweringSocket = Socket & { _httpMessage?: ServerResponse | null };

/**
 * Time for a client to read such a response and disconnect. The server's time-outs do not apply to these connections
 * any more.
 */
const LINGER_MS = 2_000;

const TOO_LARGE = new Set(['HPE_HEADER_OVERFLOW', 'HPE_CHUNK_EXTENSIONS_OVERFLOW']);

/**
 * Responds to a request that is not valid HTTP, whose headers are too large, or that does not arrive before the
 * time-out.
 */
export function answerUnreadable(
  error: NodeJS.ErrnoException,
  socket: AnsweringSocket,
  config: Config,
): void {
  const hasNoClient = error.code === 'ECONNRESET' || socket.bytesRead === 0;
  // A response in progress, such as an event stream, must not be interrupted by another one.
  if (hasNoClient || !socket.writable || socket._httpMessage?.headersSent === true) socket.destroy();
  else respond(socket, TOO_LARGE.has(error.code ?? '') ? 'BODY_TOO_LARGE' : 'BAD_REQUEST', config);
}

/**
 * Handles the requests for which Node emits separate events (unknown expectations, CONNECT), and rejects requests
 * without `Host`, or with a repeated `Host` or `Authorization`.
 */
export function handleClientErrors(fastify: FastifyInstance, config: Config): void {
  const { server } = fastify;
  // Expectations besides 100-continue may be ignored (RFC 9110, 10.1.1); Node would respond with 417.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
  // The service is not a proxy. Node would close the connection without a response.
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy()).resume();
    respond(socket, 'ROUTE_NOT_FOUND', config);
  });
  // HTTP/1.1 requires a Host header (RFC 9112, 3.2). Node's own check is disabled (`requireHostHeader`).
  fastify.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    const isWithoutHost = headers.host === undefined && raw.httpVersion === '1.1';
    const isBad = isWithoutHost || isRepeated('host', raw) || isRepeated('authorization', raw);
    done(isBad ? new BusinessError('BAD_REQUEST') : undefined);
  });
}

/**
 * Returns true if a header occurs more than once. Node uses the first value, but a proxy may have checked the last one.
 */
function isRepeated(name: string, { rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) count += 1;
  return count > 1;
}

/**
 * Writes a complete response to a socket, and destroys the socket after `LINGER_MS` if the client does not close it.
 */
function respond(socket: Socket, key: ErrorKey, config: Config): void {
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  const { code, status } = ERRORS[key];
  const body = JSON.stringify({ code, message: catalogueFor(config).errors[key], data: null });
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
