import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config';
import { Deadlines } from '../deadlines';
import { BusinessError } from '../errors/business-error';

const MAX_SHARE_OF_HEAP = 0.9;
const RETRY_AFTER_SECONDS = 1;
const BETWEEN_LOG_LINES_MS = 10_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's answer stays open: it is none of the requests in flight. */
    longLived?: boolean;
  }
}

/**
 * Refuses requests below /api at once, with 503 and `Retry-After`, while this instance has more to do than it can:
 * when `maxRequestsInFlight` others wait for their answer, when the event loop lags by more than
 * `maxEventLoopDelayMs`, or when memory runs out. A queue
 * would only make everybody wait for answers that come too late. Whoever was let in and waits for longer than
 * `requestTimeoutSeconds` is told the same. Health and metrics are never refused.
 */
export async function refuseWhenOverloaded(
  app: NestFastifyApplication,
  { maxRequestsInFlight, maxEventLoopDelayMs, requestTimeoutSeconds }: Config,
): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  const inFlight = new Deadlines(requestTimeoutSeconds * 1000);
  let lastLogged = -BETWEEN_LOG_LINES_MS;

  const refusal = (why: string, value: number | undefined): BusinessError => {
    if (performance.now() - lastLogged >= BETWEEN_LOG_LINES_MS) {
      lastLogged = performance.now();
      fastify.log.warn({ why, value, inFlight: inFlight.count }, 'overloaded: requests are refused');
    }
    return new BusinessError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  };

  fastify.addHook('onRequest', (request, reply, done) => {
    if (!isApi(request) || request.routeOptions.config.longLived) return done();
    if (inFlight.count >= maxRequestsInFlight) return done(refusal('requestsInFlight', inFlight.count));
    const isOver = inFlight.begin(() => answerOverdue(reply, requestTimeoutSeconds));
    reply.raw.once('close', isOver);
    return done();
  });
  await app.register(underPressure, {
    // The mean of a second; a busy instance shows some tens of milliseconds.
    maxEventLoopDelay: maxEventLoopDelayMs,
    maxHeapUsedBytes: MAX_SHARE_OF_HEAP * getHeapStatistics().heap_size_limit,
    pressureHandler: (request, _reply, why, value) =>
      isApi(request) ? Promise.reject(refusal(why, value)) : undefined,
  });
}

const isApi = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url?.startsWith('/api') === true;

/** Tells whoever has waited too long that they wait in vain. Their work goes on, to whatever end. */
function answerOverdue(reply: FastifyReply, limitSeconds: number): void {
  if (reply.sent || reply.raw.headersSent) return;
  const cause = new Error(`No answer to ${reply.request.routeOptions.url} within ${limitSeconds} s`);
  reply.send(new BusinessError('UNAVAILABLE', { cause }));
}
