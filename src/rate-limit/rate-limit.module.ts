import { Global, Module } from '@nestjs/common';
import { RequestCounter } from '../common/auth/request-counter';
import { FailureCounters, RateCounters, SearchCounters } from './rate-counters';
import { RequestRate } from './request-rate';

/** The limits on requests, and the counters of failures. Global because the guard of every route counts. */
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
