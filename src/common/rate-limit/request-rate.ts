import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../../config/config';
import type { Principal } from '../auth/principal';
import { BusinessError } from '../errors/business-error';
import { addressKey } from './address-key';
import { RateCounters } from './rate-counters';

const WINDOW_SECONDS = 60;

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
   * Counts a request once it is known whose it is. Only the paths below `/api` count: health and metrics do not.
   * @throws {BusinessError} TOO_MANY_REQUESTS with the seconds until the window ends
   */
  async count(request: FastifyRequest & { user?: Principal }): Promise<void> {
    if (this.#limit === 0 || !request.routeOptions.url?.startsWith('/api')) return;
    const who = request.user ? `user:${request.user.id}` : `address:${addressKey(request.ip)}`;
    const { count, secondsLeft } = await this.counters.hit(`request:${who}`, WINDOW_SECONDS);
    if (count > this.#limit) throw new BusinessError('TOO_MANY_REQUESTS', { retryAfterSeconds: secondsLeft });
  }
}
