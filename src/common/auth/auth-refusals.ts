import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Counter } from 'prom-client';
import type { BusinessError } from '../errors/business-error';
import { Metrics } from '../metrics';

/**
 * Records why requests get a 401, in the log at `debug` and in the metrics, never in the response (API 2.1). The
 * set of reasons is small and fixed; they contain no data of the request.
 */
@Injectable()
export class AuthRefusals {
  readonly #counter: Counter<'reason'>;

  constructor(metrics: Metrics) {
    this.#counter = metrics.counter('callboard_auth_refused_total', 'Requests answered 401, by reason', [
      'reason',
    ]);
  }

  /** Records the reason of the error, or its key if it has no reason. */
  note({ log }: FastifyRequest, { key, reason = key }: BusinessError): void {
    this.#counter.inc({ reason });
    log.debug({ reason }, 'unauthorised');
  }
}
