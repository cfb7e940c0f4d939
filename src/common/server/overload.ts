import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config';
import { type CurrentRequest, runForRequest } from '../concurrency/current-caller';
import { TimeLimits } from '../concurrency/time-limits';
import { BusinessError } from '../errors/business-error';
import { CallerShares } from './caller-shares';
import { ResourceMonitor } from './resource-monitor';

const RETRY_AFTER_SECONDS = 1;
const BETWEEN_LOG_LINES_MS = 10_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's answer stays open: it is none of the requests in flight. */
    longLived?: boolean;
    /** Least time that a request to this route may take, where REQUEST_TIMEOUT_SECONDS is less. */
    minTimeoutMs?: number;
  }
}

/**
 * Refuses requests below /api at once, with 503 and `Retry-After`, while this instance has more to do than it can:
 * when `maxRequestsInFlight` others wait for their answer, when the event loop lags by more than
 * `maxEventLoopDelayMs`, or when memory runs out. A queue
 * would only make everybody wait for answers that come too late. Whoever was let in and waits for longer than
 * `requestTimeoutSeconds` is told the same. Health and metrics are never refused.
 *
 * A request takes a slot once its whole body has arrived, so that slow clients do not keep other clients out. From then
 * on it is the current request of all work that it starts (`currentCaller`).
 */
export function refuseWhenOverloaded(
  app: NestFastifyApplication,
  { maxRequestsInFlight, maxEventLoopDelayMs, requestTimeoutSeconds }: Config,
): void {
  const fastify = app.getHttpAdapter().getInstance();
  const inFlight = new TimeLimits(requestTimeoutSeconds * 1000);
  const shares = app.get(CallerShares);
  const resources = new ResourceMonitor(maxEventLoopDelayMs);
  let lastLogged = -BETWEEN_LOG_LINES_MS;

  /** Why a request is refused now; undefined when it is not. */
  const refusal = (request: FastifyRequest): BusinessError | undefined => {
    if (!isApi(request)) return undefined;
    const isFull = !isLongLived(request) && inFlight.count >= maxRequestsInFlight;
    const reason = isFull ? { why: 'requestsInFlight', value: inFlight.count } : resources.pressure;
    if (reason === undefined) return undefined;
    if (performance.now() - lastLogged >= BETWEEN_LOG_LINES_MS) {
      lastLogged = performance.now();
      fastify.log.warn({ ...reason, inFlight: inFlight.count }, 'overloaded: requests are refused');
    }
    return new BusinessError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  };

  // What can be refused without its body is; others may have taken the last place by the time that it has come.
  fastify.addHook('onRequest', (request, _reply, done) => done(refusal(request)));
  fastify.addHook('preValidation', (request, reply, done) => {
    // Meanwhile the client may have gone, or have been told that its body comes too slowly.
    if (!isApi(request) || isLongLived(request) || reply.sent || reply.raw.destroyed) return done();
    const refused = refusal(request);
    if (refused !== undefined) return done(refused);
    const current: CurrentRequest = {};
    const limitMs = Math.max(inFlight.limitMs, request.routeOptions.config.minTimeoutMs ?? 0);
    const isOver = inFlight.begin(() => answerOverdue(reply), limitMs);
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

/**
 * Responds with 503 to a request that has waited too long. Its work continues. The error has no cause to log: under overload there
 * are thousands of them, and the request's log line has route, status and time.
 */
function answerOverdue(reply: FastifyReply): void {
  if (reply.sent || reply.raw.headersSent) return;
  reply.send(new BusinessError('UNAVAILABLE'));
}
