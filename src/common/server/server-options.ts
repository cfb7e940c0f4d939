import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { hostname } from 'node:os';
import { type FastifyHttpOptions, type FastifyInstance, LogController } from 'fastify';
import type { DestinationStream, LoggerOptions } from 'pino';
import type { Config } from '../../config/config';
import { trustedProxies } from '../../config/trusted-proxies';
import { logDestination } from '../log-destination';
import { BODY_LIMIT } from '../input/body-parser';
import { TIMINGS } from '../timings';
import { traceOfRequest } from '../tracing/current-trace';
import { traceIdOf } from '../tracing/traceparent';
import { routableUrl } from './request-target';
import { serializeError } from './serialize-error';
import { answerUnreadable } from './unreadable-requests';

const MAX_PATH_PART = 2_000;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Interval of the checks for `headersWithinMs` and `requestWithinMs`. Node's default would add up to 30 s to these
 * limits.
 */
const CONNECTION_CHECK_INTERVAL_MS = 1_000;
/**
 * Time without a byte in either direction after which a connection is closed; event streams send a comment every 15 s.
 */
const IDLE_TIMEOUT_MS = 60_000;
/** Added to the request time-out, so that the 503 is sent before the connection is closed. */
const TIMEOUT_RESPONSE_MS = 10_000;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the options of the log. `worker`: number of the worker that writes it, in each line. */
export const logOptions = ({ logLevel }: Config, worker?: number): LoggerOptions => ({
  level: logLevel,
  serializers: { err: serializeError },
  base: { pid: process.pid, hostname: hostname(), worker },
});

/** Returns Fastify's options, which apply before a request reaches the application. */
export function serverOptions(
  config: Config,
  { logTo = logDestination(), worker }: { logTo?: DestinationStream; worker?: number } = {},
): FastifyHttpOptions<Server> {
  return {
    logger: { ...logOptions(config, worker), stream: logTo },
    childLoggerFactory: (log, bindings, options, request) => {
      const trace = traceOfRequest(request);
      const fields = trace === undefined ? bindings : { ...bindings, trace_id: traceIdOf(trace) };
      return log.child(fields, options ?? {});
    },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: typeof config.trustProxy === 'string' ? trustedProxies(config.trustProxy) : config.trustProxy,
    // Uploads take longer than other requests, whose bodies have the limits of `PendingBodies`.
    requestTimeout: Math.max(TIMINGS.uploadWithinMs, TIMINGS.requestWithinMs),
    // While a client waits for a response, no bytes are sent.
    connectionTimeout: Math.max(IDLE_TIMEOUT_MS, config.requestTimeoutSeconds * 1000 + TIMEOUT_RESPONSE_MS),
    keepAliveTimeout: TIMINGS.keepAliveMs,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: TIMINGS.headersWithinMs,
      connectionsCheckingInterval: CONNECTION_CHECK_INTERVAL_MS,
      // Checked by a hook instead, which responds with the envelope.
      requireHostHeader: false,
    },
    // During a shutdown, requests on open connections are still processed, and errors have the envelope.
    return503OnClosing: false,
    genReqId: requestId,
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
    // A path id of 200 digits is a 422, like every invalid id (API 1.4).
    routerOptions: { maxParamLength: MAX_PATH_PART },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      answerUnreadable(error, socket, config),
  };
}

/** Returns the request id sent by the client if it is valid, otherwise a new one (API 1.2). */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Requests that take longer are logged in production too. */
const SLOW_MS = 1_000;

/**
 * Adds the request id to every response, and logs each finished request: at `info` in development and at `debug`
 * otherwise, because a line per request costs a tenth of the throughput. Slow requests are logged at `warn`.
 */
export function traceRequests(fastify: FastifyInstance, { mode }: Config): void {
  const defaultLevel = mode === 'development' ? 'info' : 'debug';
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, ip } = request;
    const { user, apiKey } = request as { user?: { id: number }; apiKey?: { id: number } };
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const { longLived, isStreamed } = routeOptions.config;
    const level = ms >= SLOW_MS && !longLived && !isStreamed ? 'warn' : defaultLevel;
    request.log[level](
      { method, route: routeOptions.url, status: reply.statusCode, ms, user: user?.id, key: apiKey?.id, ip },
      'request',
    );
    done();
  });
}
