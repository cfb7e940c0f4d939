import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PacedRuns } from '../common/concurrency/paced-runs';
import type { RunRecord } from '../common/health/run-record';
import { repeatWhile } from '../common/jobs/periodic-job';
import { isDatabaseOutage } from '../database/errors';
import { attempt } from '../database/transaction-statements';
import type { Transactions } from '../database/transactions';
import type { OutboxConsumer } from './outbox-consumer';
import type { OutboxEvent } from './outbox-event';
import { movePosition, eventsAfterPosition, insertDomainEvents } from './store/domain-events.store';

/** Maximum number of rows of the log that are dispatched in one transaction. Most rows have one domain event. */
const BATCH_SIZE = 250;

/**
 * Reads the log of domain events for one consumer. Each transaction first moves the consumer's position, on condition
 * that no other instance has, and then lets the consumer write. So each domain event is handled exactly once, also if
 * an instance is killed. An instance that has read the same page waits for the transaction, and then reads on.
 */
export class ConsumerLoop {
  readonly #log = new Logger(ConsumerLoop.name);
  readonly runs: PacedRuns;

  constructor(
    readonly consumer: OutboxConsumer,
    private readonly transactions: Transactions,
    record: RunRecord,
  ) {
    const failure = `Failed to dispatch domain events to ${consumer.name}, retrying on the next sweep`;
    this.runs = new PacedRuns(
      (stopping) => record.of(this.readOn(stopping)),
      (error) => this.#log.warn(`${failure}: ${String(error)}`),
    );
  }

  /** Dispatches the domain events after the consumer's position. @throws the error of the consumer */
  readOn(stopping?: AbortSignal): Promise<void> {
    return repeatWhile(() => this.#dispatchPage(), stopping);
  }

  /** Returns whether there may be another page. */
  async #dispatchPage(): Promise<boolean> {
    const { name } = this.consumer;
    const { from, to, events, isFull } = await eventsAfterPosition(
      this.transactions.read(),
      name,
      BATCH_SIZE,
    );
    if (to === undefined) return false;
    const handle = (dispatch: (em: EntityManager) => Promise<void>): Promise<boolean> =>
      this.transactions.run(async (em) => {
        if (!(await movePosition(em, name, { from, to }))) return false;
        if (events.length > 0) await dispatch(em);
        return true;
      });
    const isHandled = await handle((em) => this.consumer.dispatch(events, em)).catch((error: unknown) => {
      if (events.length <= 1 || isDatabaseOutage(error)) throw error;
      return handle((em) => this.#dispatchEach(events, em));
    });
    if (isHandled) this.consumer.onCommitted();
    return !isHandled || isFull;
  }

  /**
   * Dispatches each domain event alone. Those that fail are recorded again, for this consumer alone, so that they do
   * not block the others.
   * @throws the last error if all of them fail, since then the consumer is at fault
   */
  async #dispatchEach(events: readonly OutboxEvent[], em: EntityManager): Promise<void> {
    const { name } = this.consumer;
    const failed: OutboxEvent[] = [];
    let lastError: unknown;
    for (const event of events) {
      const error = await attempt(em, () => this.consumer.dispatch([event], em));
      if (error === undefined) continue;
      failed.push(event);
      lastError = error;
    }
    if (failed.length === 0) return;
    if (failed.length === events.length) throw lastError;
    await insertDomainEvents(em, failed, name);
    this.#log.error(
      `Failed to dispatch ${failed.length} domain events to ${name}, retrying them after the others: ${String(lastError)}`,
    );
  }
}
