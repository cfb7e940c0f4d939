import { Global, Module } from '@nestjs/common';
import { RequestCounter } from '../common/auth/request-counter';
import { FailureCounters, RateCounters, SearchCounters } from './rate-counters';
import { RequestRate } from './request-rate';

/**
 * Rate limits of requests, and counters of failures and searches. Global because the guard of every route counts
 * requests.
 */
@Global()
@Module({
  providers: [
    RateCounters,
    FailureCounters,
    SearchCounters,
    RequestRate,
    { provide: RequestCounter, useExisting: RequestRate },
  ],
  exports: [FailureCounters, SearchCounters, RequestCounter, RequestRate],
})
export class RateLimitModule {}
