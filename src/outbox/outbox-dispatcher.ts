import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Clock } from '../common/clock';
import { PacedRuns } from '../common/concurrency/paced-runs';
import { RunRecord } from '../common/health/run-record';
import { Periodic } from '../common/jobs/periodic.decorator';
import { repeatWhile } from '../common/jobs/periodic-job';
import { Transactions } from '../database/transactions';
import { ConsumerLoop } from './consumer-loop';
import { DomainEvents } from './domain-events';
import type { OutboxConsumer } from './outbox-consumer';
import {
  movePosition,
  assignPositions,
  HEAD,
  trimDomainEvents,
  unnumberedRows,
} from './store/domain-events.store';

const SWEEP_INTERVAL_MS = 1_000;
/** A new subscription takes effect on every instance within ten seconds, even if the query is slow. */
const REFRESH_INTERVAL_MS = 5_000;
/** Short, because payloads contain the texts of messages. */
const TRIM_INTERVAL_MS = 10_000;
/** Maximum number of rows of the log that get their positions, or are deleted, in one transaction. */
const BATCH_SIZE = 500;

/**
 * Lets every registered consumer handle every domain event exactly once, on any instance. Committed domain events get
 * consecutive positions in a short transaction; then each consumer reads on from its own position. An instance does
 * this after its own commits, and once a second for what other instances have left (API 14.8).
 */
@Injectable()
export class OutboxDispatcher implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(OutboxDispatcher.name);
  /** Outcome of the last runs, for the health report. */
  readonly record = new RunRecord(() => this.clock.now());
  readonly #loops: ConsumerLoop[] = [];
  readonly #numbering = new PacedRuns(
    () => this.#numberAndRunLoops(),
    (error) => this.#log.warn(`Failed to order domain events, retrying on the next sweep: ${String(error)}`),
  );
  #recorded?: Subscription;
  /** Number of refreshes of the subscribed types that have started. */
  #refreshCount = 0;

  constructor(
    private readonly domainEvents: DomainEvents,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Registers a consumer, which calls it in its `onModuleInit`. */
  register(consumer: OutboxConsumer): void {
    this.#loops.push(new ConsumerLoop(consumer, this.transactions, this.record));
  }

  onModuleInit(): void {
    this.#recorded = this.domainEvents.recorded.subscribe(() => this.#numbering.run());
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.refreshSubscriptions().catch((error: unknown) =>
      this.#log.warn(
        `Failed to load subscribed event types, recording all domain events until the next refresh: ${String(error)}`,
      ),
    );
  }

  /** Leaves undispatched domain events to another instance, or to the next start. */
  async onModuleDestroy(): Promise<void> {
    this.#recorded?.unsubscribe();
    await this.#numbering.stop();
    await Promise.all(this.#loops.map(({ runs }) => runs.stop()));
  }

  /**
   * Refreshes the subscribed types from the consumers. Called periodically, and by modules that change a subscription
   * on this instance, so that the change takes effect here immediately.
   */
  @Periodic({
    name: 'outbox_wanted_types',
    everyMs: REFRESH_INTERVAL_MS,
    onFailure: 'Failed to refresh subscribed event types, keeping the previous set',
  })
  async refreshSubscriptions(): Promise<void> {
    const refresh = (this.#refreshCount += 1);
    const subscribed = await Promise.all(this.#loops.map(({ consumer }) => consumer.subscribedTypes()));
    // The result may be stale if another refresh has started since.
    if (refresh !== this.#refreshCount) return;
    this.domainEvents.setSubscribedTypes(new Set(subscribed.flatMap((types) => [...types])));
  }

  /** Starts a run for the domain events that other instances have left, and those that could not be dispatched. */
  @Periodic({
    name: 'outbox_sweep',
    everyMs: SWEEP_INTERVAL_MS,
    onFailure: 'Outbox sweep failed, retrying on the next run',
  })
  async sweep(): Promise<void> {
    this.#numbering.runIfIdle();
  }

  /** Deletes the domain events that every consumer has handled, in batches. */
  @Periodic({
    name: 'outbox_retention',
    everyMs: TRIM_INTERVAL_MS,
    onFailure: 'Failed to delete dispatched domain events, retrying on the next run',
  })
  async trim(stopping?: AbortSignal): Promise<void> {
    await repeatWhile(
      async () => (await this.transactions.run((em) => trimDomainEvents(em, BATCH_SIZE))) === BATCH_SIZE,
      stopping,
    );
  }

  /** Dispatches all committed domain events to all consumers. @throws an error of a consumer, once all have finished */
  async dispatch(): Promise<void> {
    await this.#assignPositions();
    const outcomes = await Promise.allSettled(this.#loops.map((loop) => loop.readOn()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Consumers run apart, so that one that fails or is slow does not delay the others. */
  async #numberAndRunLoops(): Promise<void> {
    await this.record.of(this.#assignPositions());
    for (const { runs } of this.#loops) runs.run();
  }

  /**
   * Assigns positions to all committed domain events. Those of one object keep their order: the second one is inserted
   * after the first one was committed.
   */
  #assignPositions(): Promise<void> {
    return repeatWhile(async () => {
      const { head, ids } = await unnumberedRows(this.transactions.read(), BATCH_SIZE);
      if (ids.length === 0) return false;
      const isAssigned = await this.transactions.run(async (em) => {
        // While the head has not moved, no instance has assigned a position since these rows were read.
        if (!(await movePosition(em, HEAD, { from: head, to: head + ids.length }))) return false;
        await assignPositions(em, ids, head);
        return true;
      });
      return !isAssigned || ids.length === BATCH_SIZE;
    });
  }
}
