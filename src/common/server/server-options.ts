import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyHttpOptions, type FastifyInstance, LogController } from 'fastify';
import type { DestinationStream } from 'pino';
import type { Config } from '../../config/config';
import { trustedProxies } from '../../config/trusted-proxies';
import { logDestination } from '../log-destination';
import { BODY_LIMIT } from '../input/body-parser';
import { TIMINGS } from '../timings';
import { routableUrl } from './request-target';
import { serializeError } from './serialize-error';
import { answerUnreadable } from './unreadable-requests';

const MAX_PATH_PART = 2_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** Interval of the checks for connections that are past `headersWithinMs` and `requestWithinMs`; Node's default would add up to 30 s. */
const LOOK_EVERY_MS = 1_000;
/** Without a byte in either direction; event streams carry a comment every 15 s. */
const SILENCE_MS = 60_000;
/** By then a request that has waited for too long has been told so. */
const ANSWER_OVERDUE_MS = 10_000;
/** An idle connection is kept; longer than load balancers keep theirs (60 s), so that they are the ones to close. */
const KEEP_ALIVE_MS = 72_000;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Fastify's options: what must be decided before a request reaches the application. */
export function serverOptions(
  config: Config,
  logTo: DestinationStream = logDestination(),
): FastifyHttpOptions<Server> {
  return {
    logger: { level: config.logLevel, serializers: { err: serializeError }, stream: logTo },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: typeof config.trustProxy === 'string' ? trustedProxies(config.trustProxy) : config.trustProxy,
    requestTimeout: TIMINGS.requestWithinMs,
    // Whoever waits for an answer hears nothing until it comes.
    connectionTimeout: Math.max(SILENCE_MS, config.requestTimeoutSeconds * 1000 + ANSWER_OVERDUE_MS),
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: TIMINGS.headersWithinMs,
      connectionsCheckingInterval: LOOK_EVERY_MS,
      // Asked for in the envelope instead.
      requireHostHeader: false,
    },
    // While the service stops, requests on open connections are still answered, in the envelope.
    return503OnClosing: false,
    genReqId: requestId,
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
    // A path id of 200 digits is a 422 like any other (contract 1.3).
    routerOptions: { maxParamLength: MAX_PATH_PART },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      answerUnreadable(error, socket, config),
  };
}

/** The request's own id when it is fit to be repeated, else a new one (contract 1.1). */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** A request that takes longer is worth a line in production too. */
const SLOW_MS = 1_000;

/**
 * The request's id on every answer, and a line per finished request: at `info` in development, at `debug` otherwise,
 * where a line for each costs a tenth of what the service can do. Slow ones are warned of.
 */
export function traceRequests(fastify: FastifyInstance, { mode }: Config): void {
  const usual = mode === 'development' ? 'info' : 'debug';
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, ip } = request;
    const { user, apiKey } = request as { user?: { id: number }; apiKey?: { id: number } };
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const { longLived, isStreamed } = routeOptions.config;
    const level = ms >= SLOW_MS && !longLived && !isStreamed ? 'warn' : usual;
    request.log[level](
      { method, route: routeOptions.url, status: reply.statusCode, ms, user: user?.id, key: apiKey?.id, ip },
      'request',
    );
    done();
  });
}
