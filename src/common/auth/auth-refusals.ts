import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Counter } from 'prom-client';
import type { BusinessError } from '../errors/business-error';
import { Metrics } from '../metrics';

/**
 * Why requests are answered 401: told to the log at `debug` and to the metrics, never to the client (contract 18.1). The
 * reasons are few and fixed; nothing of a request is in them.
 */
@Injectable()
export class AuthRefusals {
  readonly #counter: Counter<'reason'>;

  constructor(metrics: Metrics) {
    this.#counter = metrics.counter('callboard_auth_refused_total', 'Requests answered 401, by reason', [
      'reason',
    ]);
  }

  /** Notes a refusal; one without a reason of its own goes by its key. */
  note({ log }: FastifyRequest, { key, reason = key }: BusinessError): void {
    this.#counter.inc({ reason });
    log.debug({ reason }, 'unauthorised');
  }
}
