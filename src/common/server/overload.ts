import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config';
import { type CurrentRequest, runForRequest } from '../concurrency/current-caller';
import { TimeoutSet } from '../concurrency/timeout-set';
import { traceOfRequest } from '../tracing/current-trace';
import { BusinessError } from '../errors/business-error';
import { perWorker } from '../../workers/per-worker';
import { CallerShares } from './caller-shares';
import { ResourceMonitor } from './resource-monitor';

const RETRY_AFTER_SECONDS = 1;
const LOG_INTERVAL_MS = 10_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response stays open (event stream); it does not count as a request in flight. */
    longLived?: boolean;
    /** Time-out of this route if it is longer than REQUEST_TIMEOUT_SECONDS. */
    minTimeoutMs?: number;
  }
}

/**
 * Load shedding: rejects requests below /api immediately, with 503 and `Retry-After`, while `maxRequestsInFlight`
 * requests are in flight (divided among the workers), the event loop delay exceeds `maxEventLoopDelayMs`, or the heap is nearly full. A queue would
 * only delay responses until clients no longer wait for them. Requests that take longer than `requestTimeoutSeconds`
 * also get a 503. Health and metrics are never rejected.
 *
 * A request occupies a slot after its whole body has arrived, so that slow clients do not block other clients. From
 * then on it is the current request of all work that it starts (`currentCaller`).
 */
export function shedLoad(
  app: NestFastifyApplication,
  { maxRequestsInFlight, workers, maxEventLoopDelayMs, requestTimeoutSeconds }: Config,
): void {
  const maxInFlight = perWorker(maxRequestsInFlight, workers);
  const fastify = app.getHttpAdapter().getInstance();
  const inFlight = new TimeoutSet(requestTimeoutSeconds * 1000);
  const shares = app.get(CallerShares);
  const resources = new ResourceMonitor(maxEventLoopDelayMs);
  let lastLogged = -LOG_INTERVAL_MS;

  /**
   * Returns the error with which a request is rejected now, and logs it at most every 10 s; undefined if the request is
   * accepted.
   */
  const rejectionFor = (request: FastifyRequest): BusinessError | undefined => {
    if (!isApi(request)) return undefined;
    const isFull = !isLongLived(request) && inFlight.count >= maxInFlight;
    const reason = isFull ? { why: 'requestsInFlight', value: inFlight.count } : resources.pressure;
    if (reason === undefined) return undefined;
    if (performance.now() - lastLogged >= LOG_INTERVAL_MS) {
      lastLogged = performance.now();
      fastify.log.warn({ ...reason, inFlight: inFlight.count }, 'overloaded: requests are refused');
    }
    return new BusinessError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  };

  // Checked before the body is read, and again after it, because other requests may have taken the last slot in
  // between.
  fastify.addHook('onRequest', (request, _reply, done) => done(rejectionFor(request)));
  fastify.addHook('preValidation', (request, reply, done) => {
    // The body may have been rejected as too slow.
    if (!isApi(request) || reply.sent) return done();
    const current: CurrentRequest = { traceparent: traceOfRequest(request.raw) };
    // An upload takes no slot for its duration, but its changes may be audited.
    if (isLongLived(request))
      return isUpload(request) ? runForRequest({ ...current, isUncounted: true }, done) : done();
    // The client has disconnected: no event would end the counting.
    if (reply.raw.destroyed) return runForRequest({ ...current, isUncounted: true }, done);
    const rejection = rejectionFor(request);
    if (rejection !== undefined) return done(rejection);
    const limitMs = Math.max(inFlight.limitMs, request.routeOptions.config.minTimeoutMs ?? 0);
    const isOver = inFlight.start(() => answerOverdue(reply), limitMs);
    reply.raw.once('close', () => {
      isOver();
      shares.release(current);
    });
    runForRequest(current, done);
  });
  fastify.addHook('onClose', (_instance, done) => {
    resources.stop();
    done();
  });
}

const isApi = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url?.startsWith('/api') === true;

const isLongLived = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.longLived === true;

const isUpload = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.isStreamedUpload === true;

/**
 * Responds with 503 to a request that has exceeded its time-out. Its work continues. The error has no cause, so that it
 * is not logged: under overload there are thousands of them, and the log line of the request has route, status and
 * duration.
 */
function answerOverdue(reply: FastifyReply): void {
  if (reply.sent || reply.raw.headersSent) return;
  reply.send(new BusinessError('UNAVAILABLE'));
}
