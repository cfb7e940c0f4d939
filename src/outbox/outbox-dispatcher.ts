import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../common/clock';
import { SingleFlight } from '../common/concurrency/single-flight';
import { RunRecord } from '../common/health/run-record';
import { Periodic } from '../common/jobs/periodic.decorator';
import { repeatWhile } from '../common/jobs/periodic-job';
import { isDatabaseOutage } from '../database/errors';
import { Transactions } from '../database/transactions';
import type { DomainEventType } from './domain-event-types';
import { DomainEvents } from './domain-events';
import type { OutboxEvent, OutboxConsumer } from './outbox-consumer';
import {
  claimOutboxEvents,
  type ClaimedEvent,
  deleteOutboxEvents,
  dueOutboxEvents,
  lockOutboxEvents,
  type Lease,
} from './store/outbox.store';

const SWEEP_INTERVAL_MS = 1_000;
/** A new subscription takes effect on every instance within ten seconds, even if the query is slow. */
const REFRESH_INTERVAL_MS = 5_000;
/** Maximum number of domain events that are claimed, and dispatched, in one transaction. */
const BATCH_SIZE = 100;
/** Maximum time for dispatching a batch. After it another instance may claim the domain events. */
const LEASE_SECONDS = 30;
/** Minimum pause after a run. */
const MIN_PAUSE_MS = 50;
/** Length of the pause after a run, relative to the run: under load more domain events share the next transaction. */
const PAUSE_TO_WORK_RATIO = 10;
/** Maximum number of queued domain events in memory. The sweep finds further ones when their lease ends. */
const MAX_QUEUED = 10_000;

/**
 * Claimed domain events. `events` is known for those of this instance, and undefined for those found by the sweep.
 */
interface Claimed extends Lease {
  events?: readonly OutboxEvent[];
}

/**
 * Dispatches every domain event exactly once to all registered consumers, on any instance. New domain events are
 * inserted with a lease of their instance, which dispatches them from memory. Domain events that another instance has
 * left behind are claimed by a conditional UPDATE when their lease ends. One transaction then deletes the rows that
 * still have the claim, and the consumers write their consequences in it (API 14.8).
 */
@Injectable()
export class OutboxDispatcher implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(OutboxDispatcher.name);
  /** Outcome of the last dispatches, for the health report. */
  readonly record = new RunRecord(() => this.clock.now());
  readonly #consumers: OutboxConsumer[] = [];
  readonly #stopping = new AbortController();
  /** Claim with which domain events of this instance are inserted. */
  readonly #claim = randomUUID();
  #recorded?: Subscription;
  /** Undispatched domain events of this instance, in commit order. */
  readonly #queue: ClaimedEvent[] = [];
  #isSweepDue = false;
  /** Number of refreshes of the subscribed types that have started. */
  #refreshCount = 0;
  readonly #dispatching = new SingleFlight(
    () => this.#dispatchAndPause(),
    (error) => this.#log.warn(String(error)),
  );

  constructor(
    private readonly domainEvents: DomainEvents,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Registers a consumer, which calls it in its `onModuleInit`. */
  register(consumer: OutboxConsumer): void {
    this.#consumers.push(consumer);
  }

  onModuleInit(): void {
    this.domainEvents.claimBy({ claim: this.#claim, seconds: LEASE_SECONDS });
    this.#recorded = this.domainEvents.recorded.subscribe((events) => {
      if (this.#queue.length < MAX_QUEUED) this.#queue.push(...events);
      this.#dispatching.run();
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.refreshSubscriptions().catch((error: unknown) =>
      this.#log.warn(
        `Failed to load subscribed event types, recording all domain events until the next refresh: ${String(error)}`,
      ),
    );
  }

  async onModuleDestroy(): Promise<void> {
    this.domainEvents.claimBy(undefined);
    this.#stopping.abort();
    await this.#dispatching.stop();
    this.#recorded?.unsubscribe();
    await this.#dispatchQueued().catch((error: unknown) =>
      this.#log.warn(
        `Undispatched domain events remain at shutdown; another instance will dispatch them: ${String(error)}`,
      ),
    );
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
    const subscribed = await Promise.all(this.#consumers.map((consumer) => consumer.subscribedTypes()));
    // The result may be stale if another refresh has started since.
    if (refresh !== this.#refreshCount) return;
    this.domainEvents.setSubscribedTypes(new Set<DomainEventType>(subscribed.flatMap((types) => [...types])));
  }

  /** Starts a dispatch that includes the domain events that are due. */
  @Periodic({
    name: 'outbox_sweep',
    everyMs: SWEEP_INTERVAL_MS,
    onFailure: 'Outbox sweep failed, retrying on the next run',
  })
  async sweep(): Promise<void> {
    this.#isSweepDue = true;
    this.#dispatching.runIfIdle();
  }

  /** Dispatches all domain events that are due. Failed ones stay, and are dispatched again when their lease ends. */
  async dispatch(): Promise<void> {
    await this.#dispatchQueued();
    await this.#dispatchDue();
  }

  /** Dispatches domain events that other instances have left behind, and those whose dispatch failed before. */
  #dispatchDue(): Promise<void> {
    return repeatWhile(async () => {
      const lease = await this.#claimDue();
      if (lease === undefined) return false;
      await this.#dispatchClaimed(lease);
      return lease.ids.length === BATCH_SIZE;
    }, this.#stopping.signal);
  }

  /**
   * Dispatches the queued domain events of this instance; during a database outage they stay queued. Those that arrive
   * meanwhile wait for the next run: dispatching them immediately would take a transaction for every few of them.
   */
  async #dispatchQueued(): Promise<void> {
    const pending = this.#queue.splice(0);
    while (pending.length > 0) {
      const chunk = pending.splice(0, BATCH_SIZE);
      const [ids, events] = [chunk.map(({ id }) => id), chunk.map(({ event }) => event)];
      try {
        await this.#dispatchClaimed({ ids, claim: this.#claim, events });
      } catch (error) {
        if (isDatabaseOutage(error)) pending.unshift(...chunk);
        this.#queue.unshift(...pending);
        throw error;
      }
    }
  }

  /** Dispatches once and pauses afterwards: after a failure for a whole sweep interval, otherwise for at most that. */
  async #dispatchAndPause(): Promise<void> {
    const startedAt = performance.now();
    let pauseMs = SWEEP_INTERVAL_MS;
    try {
      await this.record.of(this.#dispatchPending());
      const workMs = performance.now() - startedAt;
      pauseMs = Math.min(Math.max(MIN_PAUSE_MS, workMs * PAUSE_TO_WORK_RATIO), SWEEP_INTERVAL_MS);
    } catch (error) {
      this.#log.warn(`Failed to dispatch domain events, retrying on the next sweep: ${String(error)}`);
    }
    await pause(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** Dispatches the domain events of this instance, and, once per sweep interval, those that are due. */
  async #dispatchPending(): Promise<void> {
    await this.#dispatchQueued();
    if (!this.#isSweepDue) return;
    this.#isSweepDue = false;
    await this.#dispatchDue();
  }

  /**
   * Claims domain events that are due; returns undefined if there are none. Other instances may have claimed some or
   * all of the returned ids first; the dispatching transaction skips those.
   */
  async #claimDue(): Promise<Lease | undefined> {
    const now = this.clock.now();
    const ids = await dueOutboxEvents(this.transactions.read(), now, BATCH_SIZE);
    if (ids.length === 0) return undefined;
    const lease = { ids, claim: randomUUID() };
    const until = plusSeconds(now, LEASE_SECONDS);
    await this.transactions.run((em) => claimOutboxEvents(em, lease, { now, until }));
    return lease;
  }

  /** @throws the first error if none of them could be dispatched */
  async #dispatchClaimed({ ids, claim, events }: Claimed): Promise<void> {
    try {
      return await this.#dispatchTogether({ ids, claim, events });
    } catch (error) {
      if (ids.length === 1 || isDatabaseOutage(error)) throw error;
    }
    // A domain event that cannot be dispatched must not block the others.
    const errors: unknown[] = [];
    for (const [index, id] of ids.entries())
      await this.#dispatchTogether({ ids: [id], claim, events: events?.slice(index, index + 1) }).catch(
        (error: unknown) => {
          if (isDatabaseOutage(error)) throw error;
          errors.push(error);
        },
      );
    const [first] = errors;
    if (errors.length === ids.length) throw first;
    if (errors.length > 0)
      this.#log.error(
        `Failed to dispatch ${errors.length} domain events, retrying when their lease ends: ${String(first)}`,
      );
  }

  async #dispatchTogether(claimed: Claimed): Promise<void> {
    const count = await this.transactions.run(async (em) => {
      const events = await removeClaimed(em, claimed);
      if (events.length > 0) for (const consumer of this.#consumers) await consumer.dispatch(events, em);
      return events.length;
    });
    if (count > 0) for (const consumer of this.#consumers) consumer.onCommitted();
  }
}

/**
 * Deletes the domain events that still have the claim, and returns them.
 * @throws {Error} if `events` is known and some of their rows have lost the claim: the lease has ended, and another
 * instance has claimed them
 */
async function removeClaimed(em: EntityManager, claimed: Claimed): Promise<readonly OutboxEvent[]> {
  const events = claimed.events ?? (await lockOutboxEvents(em, claimed));
  const count = await deleteOutboxEvents(em, claimed);
  if (count !== events.length) throw new Error('Outbox lease ended before its domain events were dispatched');
  return events;
}
