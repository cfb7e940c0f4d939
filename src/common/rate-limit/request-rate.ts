import { Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../../config/config';
import type { Principal } from '../auth/principal';
import { BusinessError } from '../errors/business-error';
import { addressKey } from './address-key';
import { RateCounters } from './rate-counters';

const WINDOW_SECONDS = 60;
const OPERATIONS = /^\/(health\/|metrics$)/;
const GUARDED = /^\/api(?![^/?])/;

/**
 * `@CountedWhenRefused()`: for what a signature vouches for. The guard does not count it; the route itself counts what
 * it refuses. So all calls may be reported from the one address of a media provider, and nobody else may try for long.
 */
export const CountedWhenRefused = Reflector.createDecorator<void, true>({ transform: () => true });

/** The general limit of contract 1.6: `RATE_LIMIT_PER_MINUTE` requests per user, or per address without a token. */
@Injectable()
export class RequestRate {
  readonly #limit: number;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly counters: RateCounters,
  ) {
    this.#limit = config.rateLimitPerMinute;
  }

  /**
   * Counts a request once it is known whose it is. Health and metrics do not count.
   * @throws {BusinessError} TOO_MANY_REQUESTS with the seconds until the window ends
   */
  async count(request: FastifyRequest & { user?: Principal }): Promise<void> {
    if (this.#limit === 0 || OPERATIONS.test(request.routeOptions.url ?? '')) return;
    const who = request.user ? `user:${request.user.id}` : `address:${addressKey(request.ip)}`;
    const { count, secondsLeft } = await this.counters.hit(`request:${who}`, WINDOW_SECONDS);
    if (count > this.#limit) throw new BusinessError('TOO_MANY_REQUESTS', { retryAfterSeconds: secondsLeft });
  }
}

/**
 * The guard counts what lies below `/api`; what never reaches it, unknown paths elsewhere and the pages of `/docs`, is
 * counted here, by address.
 */
export function countOutsideGuards(app: NestFastifyApplication): void {
  const rate = app.get(RequestRate);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, _reply, done) => {
      if (GUARDED.test(request.url)) done();
      else rate.count(request).then(() => done(), done);
    });
}
