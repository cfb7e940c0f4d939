import { Inject, Injectable } from '@nestjs/common';
import { type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../config/config';
import { JwtStrategy } from '../common/auth/jwt.strategy';
import { KeyAdmission, keyTextOf } from '../common/auth/api-keys/api-key';
import { callerKey, type CallerRequest } from '../common/auth/caller';
import { currentRequest } from '../common/concurrency/current-caller';
import { RequestCounter } from '../common/auth/request-counter';
import { BusinessError } from '../common/errors/business-error';
import { CallerShares } from '../common/server/caller-shares';
import { RateCounters } from './rate-counters';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests for it do not count: it is a page, or a part of one (contract 18.9). */
    isUncounted?: boolean;
  }
}

const WINDOW_SECONDS = 60;
const OPERATIONS = /^\/(health\/|metrics$)/;
const GUARDED = /^\/api(?![^/?])/;

/**
 * `@CountedWhenRefused()`: for what a signature vouches for. The guard does not count it; the route itself counts what
 * it refuses. So all calls may be reported from the one address of a media provider, and nobody else may try for long.
 */
export const CountedWhenRefused = (): MethodDecorator => RouteConfig({ countedWhenRefused: true });

/**
 * The general limit of contract 1.6: `RATE_LIMIT_PER_MINUTE` requests per user, or per address without a token; and of each
 * key as many as it was given (contract 13), unless there is no limit at all.
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
   * Counts a request once it is known whose it is, for the minute and among those in flight. Health and metrics do not count.
   * @throws {BusinessError} UNAVAILABLE: its caller has too many in flight; TOO_MANY_REQUESTS with the seconds until the
   *   window ends
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
   * Counts the current request as several more, once it is known what it asks for. What it costs itself never refuses it,
   * so that a limit below that leaves something possible.
   * @throws {BusinessError} TOO_MANY_REQUESTS: requests before it have used up the limit
   */
  async charge(requests: number): Promise<void> {
    const { caller, ratePerMinute } = currentRequest() ?? {};
    if (caller === undefined || ratePerMinute === undefined || requests === 0) return;
    const { count, secondsLeft } = await this.counters.hit(counterOf(caller), WINDOW_SECONDS, requests);
    if (count - requests > ratePerMinute) throw tooMany(secondsLeft);
  }

  /**
   * What a request would be refused with if it turned out to be nobody's: TOO_MANY_REQUESTS when its address has used
   * up its limit. Counts nothing.
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
 * Refuses what the guard below `/api` would refuse with 429, before the body is read: requests of an address that has
 * used up its limit, without a token that somebody signed or a key that is good. Users behind the same address are none of it.
 */
export function refuseUsedUpAddresses(app: NestFastifyApplication): void {
  const rate = app.get(RequestRate);
  const strategy = app.get(JwtStrategy);
  const keys = app.get(KeyAdmission);
  const isKnown = (request: FastifyRequest): boolean => {
    const keyText = keyTextOf(request);
    return (keyText === undefined ? strategy.cached(request) : keys.cached(keyText)) !== undefined;
  };
  const isGood = async (request: FastifyRequest): Promise<boolean> => {
    const keyText = keyTextOf(request);
    return keyText === undefined
      ? strategy.isSigned(request)
      : typeof (await keys.find(keyText)) !== 'string';
  };
  const refusalOf = async (request: FastifyRequest): Promise<BusinessError | undefined> => {
    const refusal = await rate.refusalOfAddress(request);
    return refusal && (await isGood(request)) ? undefined : refusal;
  };
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, _reply, done) => {
      const isForGuard = GUARDED.test(request.url) && !request.routeOptions.config.countedWhenRefused;
      if (!isForGuard || isKnown(request)) done();
      else refusalOf(request).then(done, done);
    });
}

/**
 * The guard counts what lies below `/api`; what never reaches it, unknown paths elsewhere and the pages of `/docs`, is
 * counted here, by address. Pages and their parts are not: one visit asks for many.
 */
export function countOutsideGuards(app: NestFastifyApplication): void {
  const rate = app.get(RequestRate);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, _reply, done) => {
      if (GUARDED.test(request.url) || request.routeOptions.config.isUncounted) done();
      else rate.count(request).then(() => done(), done);
    });
}
