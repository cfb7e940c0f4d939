import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Counter } from 'prom-client';
import { Clock } from '../../common/clock';
import { BatchQueue } from '../../common/concurrency/batch-queue';
import { Metrics } from '../../common/metrics';
import { Transactions } from '../../database/transactions';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import { afterAttempt, type Attempt } from '../rules/attempt.rules';
import { GONE } from '../rules/endpoint-health.rules';
import { type AttemptRow, type ClaimedDelivery, lockClaimed, recordAttempts } from '../store/delivery.store';
import { noteAttempts } from '../store/endpoint.store';
import { WebhookAutoDisable } from './webhook-auto-disable';

/** The result of an attempt at a delivery. */
export interface AttemptResult {
  endpoint: WebhookEndpointEntity;
  delivery: Pick<ClaimedDelivery, 'id' | 'claim' | 'attempts'>;
  attempt: Attempt;
}

/** Duration of a claim: a result that waited longer must not be recorded any more. */
const MAX_WAIT_MS = 30_000;
/** Minimum delay between two transactions, so that attempts that end in the meantime share one. */
const LINGER_MS = 50;

/** Records the results of attempts. Attempts that end together share a transaction (API 14.4). */
@Injectable()
export class WebhookResults {
  readonly #queue = new BatchQueue<AttemptResult, boolean>({
    concurrency: 1,
    maxWaitMs: MAX_WAIT_MS,
    lingerMs: LINGER_MS,
    work: (results) => this.#recordAll(results),
  });
  readonly #attempts: Counter<'result'>;

  constructor(
    private readonly transactions: Transactions,
    private readonly autoDisable: WebhookAutoDisable,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const help = 'Delivery attempts of this instance, by result';
    this.#attempts = metrics.counter('callboard_webhook_attempts_total', help, ['result']);
  }

  /** Records an attempt, and disables its endpoint if it returned 410 or has failed for too long. */
  async record(result: AttemptResult): Promise<void> {
    const { endpoint, attempt } = result;
    this.#attempts.inc({ result: attempt.ok ? 'succeeded' : 'failed' });
    const isRecorded = await this.#queue.run(result);
    if (isRecorded && !attempt.ok) await this.autoDisable.evaluate(endpoint, attempt.statusCode === GONE);
  }

  /** Returns for each result whether it was recorded: not if its claim has expired. */
  async #recordAll(results: AttemptResult[]): Promise<boolean[]> {
    const now = this.clock.now();
    const recorded = await this.transactions.run(async (em) => {
      const lockedIds = await lockClaimed(
        em,
        results.map(({ delivery }) => delivery),
      );
      const valid = results.filter(({ delivery }) => lockedIds.has(delivery.id));
      await recordAttempts(
        em,
        valid.map((result) => toRow(result, now)),
      );
      await updateEndpoints(em, valid, now);
      return new Set(valid);
    });
    return results.map((result) => recorded.has(result));
  }
}

const toRow = ({ delivery, attempt }: AttemptResult, now: Date): AttemptRow => ({
  id: delivery.id,
  ...afterAttempt(attempt, { attempts: delivery.attempts + 1, now, chance: Math.random() }),
});

/** Adds the results to the rows of their endpoints, in ascending order of id so that transactions do not deadlock. */
async function updateEndpoints(em: EntityManager, results: AttemptResult[], now: Date): Promise<void> {
  const byEndpoint = Map.groupBy(results, ({ endpoint }) => endpoint.id);
  for (const [id, ofEndpoint] of [...byEndpoint].toSorted(([a], [b]) => a - b)) {
    const succeeded = ofEndpoint.filter(({ attempt }) => attempt.ok).length;
    await noteAttempts(em, id, { succeeded, failed: ofEndpoint.length - succeeded }, now);
  }
}
