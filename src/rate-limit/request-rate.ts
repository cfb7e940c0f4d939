import { Inject, Injectable } from '@nestjs/common';
import { type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../config/config';
import { JwtStrategy } from '../common/auth/jwt.strategy';
import { ApiKeyAuthenticator, keyTextOf } from '../common/auth/api-keys/api-key';
import { callerKey, type CallerRequest } from '../common/auth/caller';
import { currentRequest } from '../common/concurrency/current-caller';
import { RequestCounter } from '../common/auth/request-counter';
import { BusinessError } from '../common/errors/business-error';
import { CallerShares } from '../common/server/caller-shares';
import { RateCounters } from './rate-counters';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests to the route do not count: it serves a page or an asset (API 16.5). */
    isUncounted?: boolean;
  }
}

const WINDOW_SECONDS = 60;
const OPERATIONS = /^\/(health\/|metrics$)/;
const GUARDED = /^\/api(?![^/?])/;

/**
 * `@CountedWhenRefused()`: for routes that verify a signature. The guard does not count their requests; the route
 * counts those that it rejects. So a media provider may report all calls from one address, and attackers are limited.
 */
export const CountedWhenRefused = (): MethodDecorator => RouteConfig({ countedWhenRefused: true });

/**
 * The general limit of API 1.9: `RATE_LIMIT_PER_MINUTE` requests per user, or per address without a token. API
 * keys have their own limit (API 4.1). `RATE_LIMIT_PER_MINUTE=0` disables both.
 */
@Injectable()
export class RequestRate extends RequestCounter {
  readonly #limit: number;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly counters: RateCounters,
    private readonly shares: CallerShares,
  ) {
    super();
    this.#limit = config.rateLimitPerMinute;
  }

  /**
   * Counts a request for its caller, in the current minute and among the requests in flight. Health and metrics routes
   * count only among the latter.
   * @throws {BusinessError} UNAVAILABLE: the caller has too many requests in flight; TOO_MANY_REQUESTS with the seconds
   *   until the window ends
   */
  async count(request: CallerRequest): Promise<void> {
    const caller = callerKey(request);
    const current = currentRequest();
    if (current !== undefined) this.shares.claim(current, caller);
    if (this.#limit === 0 || OPERATIONS.test(request.routeOptions.url ?? '')) return;
    const limit = request.apiKey?.ratePerMinute ?? this.#limit;
    if (current !== undefined) current.ratePerMinute = limit;
    const { count, secondsLeft } = await this.counters.hit(counterOf(caller), WINDOW_SECONDS);
    if (count > limit) throw tooMany(secondsLeft);
  }

  /**
   * Counts the current request as `requests` additional ones. Its own cost never rejects it, so that it is possible
   * even with a limit below its cost.
   * @throws {BusinessError} TOO_MANY_REQUESTS: earlier requests have used up the limit
   */
  async charge(requests: number): Promise<void> {
    const { caller, ratePerMinute } = currentRequest() ?? {};
    if (caller === undefined || ratePerMinute === undefined || requests === 0) return;
    const { count, secondsLeft } = await this.counters.hit(counterOf(caller), WINDOW_SECONDS, requests);
    if (count - requests > ratePerMinute) throw tooMany(secondsLeft);
  }

  /**
   * Returns the error with which an unauthenticated request would be rejected: TOO_MANY_REQUESTS if its address has
   * used up its limit. Counts nothing.
   */
  async refusalOfAddress(request: FastifyRequest): Promise<BusinessError | undefined> {
    if (this.#limit === 0) return undefined;
    const { count, secondsLeft } = await this.counters.read(counterOf(callerKey({ ip: request.ip })));
    return count >= this.#limit ? tooMany(secondsLeft) : undefined;
  }
}

const counterOf = (caller: string): string => `request:${caller}`;

const tooMany = (retryAfterSeconds: number): BusinessError =>
  new BusinessError('TOO_MANY_REQUESTS', { retryAfterSeconds });

/**
 * Rejects requests below `/api` before the body is read that the guard would reject with 429: those of an address that
 * has used up its limit, without a correctly signed token or a valid API key. Authenticated users behind the same
 * address are not affected.
 */
export function rateLimitByAddress(app: NestFastifyApplication): void {
  const rate = app.get(RequestRate);
  const strategy = app.get(JwtStrategy);
  const keys = app.get(ApiKeyAuthenticator);
  const isCached = (request: FastifyRequest): boolean => {
    const keyText = keyTextOf(request);
    return (keyText === undefined ? strategy.cached(request) : keys.cached(keyText)) !== undefined;
  };
  const isAuthenticated = async (request: FastifyRequest): Promise<boolean> => {
    const keyText = keyTextOf(request);
    return keyText === undefined
      ? strategy.isSigned(request)
      : typeof (await keys.find(keyText)) !== 'string';
  };
  const findError = async (request: FastifyRequest): Promise<BusinessError | undefined> => {
    const error = await rate.refusalOfAddress(request);
    return error && (await isAuthenticated(request)) ? undefined : error;
  };
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, _reply, done) => {
      const isForGuard = GUARDED.test(request.url) && !request.routeOptions.config.countedWhenRefused;
      if (!isForGuard || isCached(request)) done();
      else findError(request).then(done, done);
    });
}

/**
 * Counts requests by address that do not reach the guard, which covers `/api`: unknown paths and the pages of `/docs`.
 * Pages of the web app and their assets do not count, because one visit requests many of them.
 */
export function rateLimitUnguardedRoutes(app: NestFastifyApplication): void {
  const rate = app.get(RequestRate);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, _reply, done) => {
      if (GUARDED.test(request.url) || request.routeOptions.config.isUncounted) done();
      else rate.count(request).then(() => done(), done);
    });
}
