import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Counter } from 'prom-client';
import { Clock } from '../../common/clock';
import { BatchQueue } from '../../common/concurrency/batch-queue';
import { Metrics } from '../../common/metrics';
import { Transactions } from '../../database/transactions';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import { afterAttempt, type Attempt } from '../rules/attempt';
import { GONE } from '../rules/endpoint-health';
import { type AttemptRow, type ClaimedDelivery, holdClaimed, recordAttempts } from '../store/delivery-rows';
import { noteAttempts } from '../store/endpoint-rows';
import { WebhookShutoff } from './webhook-shutoff';

/** What has come of an attempt at a delivery. */
export interface AttemptResult {
  endpoint: WebhookEndpointEntity;
  delivery: Pick<ClaimedDelivery, 'id' | 'claim' | 'attempts'>;
  attempt: Attempt;
}

/** For as long as a claim lasts: whoever has waited longer has nothing to record any more. */
const PATIENCE_MS = 30_000;
/** Between one transaction and the next, so that what ends meanwhile shares one. */
const REST_MS = 50;

/** Records what has come of attempts; those that end together share a transaction (contract 12.2). */
@Injectable()
export class WebhookResults {
  readonly #queue = new BatchQueue<AttemptResult, boolean>({
    atOnce: 1,
    patienceMs: PATIENCE_MS,
    keysOf: () => [],
    weightOf: () => 1,
    restMs: REST_MS,
    work: (results) => this.#recordAll(results),
  });
  readonly #attempts: Counter<'result'>;

  constructor(
    private readonly transactions: Transactions,
    private readonly shutoff: WebhookShutoff,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const help = 'Attempts of this instance to tell back ends of events, by what came of them';
    this.#attempts = metrics.counter('callboard_webhook_attempts_total', help, ['result']);
  }

  /** Records an attempt, and switches its endpoint off where that is called for. */
  async record(result: AttemptResult): Promise<void> {
    const { endpoint, attempt } = result;
    this.#attempts.inc({ result: attempt.ok ? 'succeeded' : 'failed' });
    const isMine = await this.#queue.run(result);
    if (isMine && !attempt.ok) await this.shutoff.consider(endpoint, attempt.statusCode === GONE);
  }

  /** Answers of each whether the claim had not ended; what came too late counts for nothing. */
  async #recordAll(results: AttemptResult[]): Promise<boolean[]> {
    const now = this.clock.now();
    const mine = await this.transactions.run(async (em) => {
      const held = await holdClaimed(
        em,
        results.map(({ delivery }) => delivery),
      );
      const recorded = results.filter(({ delivery }) => held.has(delivery.id));
      await recordAttempts(
        em,
        recorded.map((result) => rowOf(result, now)),
      );
      await noteAll(em, recorded, now);
      return new Set(recorded);
    });
    return results.map((result) => mine.has(result));
  }
}

const rowOf = ({ delivery, attempt }: AttemptResult, now: Date): AttemptRow => ({
  id: delivery.id,
  ...afterAttempt(attempt, { attempts: delivery.attempts + 1, now, chance: Math.random() }),
});

/** Notes at each endpoint what came of its attempts, the lowest id first. */
async function noteAll(em: EntityManager, results: AttemptResult[], now: Date): Promise<void> {
  const byEndpoint = Map.groupBy(results, ({ endpoint }) => endpoint.id);
  for (const [id, own] of [...byEndpoint].toSorted(([a], [b]) => a - b)) {
    const succeeded = own.filter(({ attempt }) => attempt.ok).length;
    await noteAttempts(em, id, { succeeded, failed: own.length - succeeded }, now);
  }
}
