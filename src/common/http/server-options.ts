import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyServerOptions, LogController } from 'fastify';
import pretty from 'pino-pretty';
import type { Config } from '../../config/config';
import { ERRORS } from '../errors/error-catalogue';
import { BODY_LIMIT } from './body-parser';

const MAX_PATH_PART = 2_000;
const HEADERS_TIMEOUT_MS = 30_000;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Fastify's options: what must be decided before a request reaches the application. */
export function serverOptions(config: Config): FastifyServerOptions {
  return {
    logger: loggerOptions(config),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: config.trustProxy,
    requestTimeout: HEADERS_TIMEOUT_MS,
    // While the service stops, requests on open connections are still answered, in the envelope.
    return503OnClosing: false,
    genReqId: requestId,
    // A path id of 200 digits is a 422 like any other (contract 1.3).
    routerOptions: { maxParamLength: MAX_PATH_PART },
    clientErrorHandler: answerUnreadableRequest,
    // A URL that cannot be decoded leads nowhere; the router gives up on it before any route of ours.
    frameworkErrors: (_error, request, reply) => answerUndecodableUrl(request, reply, config),
  };
}

/** JSON lines; in development the same for human eyes. */
function loggerOptions({ mode, logLevel }: Config): FastifyServerOptions['logger'] {
  const options = { level: logLevel, redact: ['req.headers.authorization'] };
  if (mode !== 'development') return options;
  return {
    ...options,
    stream: pretty({ ignore: 'pid,hostname,reqId', singleLine: true, translateTime: 'HH:MM:ss' }),
  };
}

/** The request's own id when it is fit to be repeated, else a new one (contract 1.1). */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

function answerUndecodableUrl(request: { id: string }, reply: FastifyReply, config: Config): void {
  const { code, status, message } = ERRORS.ROUTE_NOT_FOUND;
  void reply
    .header('X-Request-Id', request.id)
    .status(config.httpStatusMode === 'always_200' ? 200 : status)
    .send({ code, message, data: null });
}

/** What cannot even be read as HTTP still gets an envelope. */
function answerUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const spec = error.code === 'HPE_HEADER_OVERFLOW' ? ERRORS.BODY_TOO_LARGE : ERRORS.MALFORMED_JSON;
  const body = JSON.stringify({ code: spec.code, message: spec.message, data: null });
  socket.end(
    [
      `HTTP/1.1 ${spec.status} ${spec.status === 413 ? 'Payload Too Large' : 'Bad Request'}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** One line per finished request, and the request's id on every answer. */
export function traceRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, ip } = request;
    const user = (request as { user?: { id: number } }).user?.id;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ method, route: routeOptions.url, status: reply.statusCode, ms, user, ip }, 'request');
    done();
  });
}
