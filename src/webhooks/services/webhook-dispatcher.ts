import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock, plusSeconds } from '../../common/clock';
import { PeriodicJob } from '../../common/jobs/periodic-job';
import { Transactions } from '../../database/transactions';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import { pollDelayMs } from '../rules/poll-delay.rules';
import { DeliveryConcurrency } from '../rules/delivery-concurrency.rules';
import { claimDue, type ClaimedDelivery, releaseClaims } from '../store/delivery.store';
import { dueEndpoints, idsOfThoseOn } from '../store/endpoint.store';
import { EventLoopIdleRatio } from '../../common/concurrency/event-loop-idle-ratio';
import { WebhookAttempts } from './webhook-attempts';
import { WebhookResults } from './webhook-results';

const SWEEP_INTERVAL_MS = 1_000;
const LEASE_SECONDS = 30;
/** Claimed deliveries that have not started by then are released: their attempt might outlive the lease. */
const START_WITHIN_MS = 10_000;
/**
 * Maximum wait of a shutdown for running attempts. Aborted ones are repeated by other instances when their claims
 * expire.
 */
const STOP_WITHIN_MS = 5_000;

/** Claimed deliveries of an endpoint that wait for a slot. */
interface ClaimedBatch {
  endpoint: WebhookEndpointEntity;
  deliveries: ClaimedDelivery[];
  /** Time in milliseconds after which deliveries that have not started are released. */
  until: number;
}

/**
 * Sends due deliveries (API 14.4): soon after events were dispatched on this instance, with a delay that depends
 * on the load, and in a sweep once a second. Runs on every instance: a claim assigns each attempt to one of them, and
 * deliveries claimed by a crashed instance are due again when the claim expires.
 */
@Injectable()
export class WebhookDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(WebhookDispatcher.name);
  readonly #slots = new DeliveryConcurrency();
  readonly #idleness = new EventLoopIdleRatio();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #sweep = new PeriodicJob(this, {
    name: 'webhook_sweep',
    everyMs: SWEEP_INTERVAL_MS,
    // A scheduled poll runs soon anyway.
    run: async () => (this.#isScheduled ? undefined : this.#poll()),
    onFailure: 'Failed to poll for due webhook deliveries, retrying on the next sweep',
  });
  /** Claimed deliveries that have not started, by endpoint id. */
  readonly #claimed = new Map<number, ClaimedBatch>();
  /** Ids of the endpoints that were enabled at the last poll. */
  #enabledIds: number[] = [];
  /** Whether `wake` has scheduled a poll that has not started. */
  #isScheduled = false;
  /** Attempts that ended since the last sample of the idle ratio. */
  #endedAttempts = 0;
  #isStopping = false;
  /** Start of the last poll that found something due, on the clock of `performance.now()`. */
  #lastPollAt = 0;
  /** Resolves when the last poll has ended, also if it failed. */
  #lastPoll: Promise<void> = Promise.resolve();

  constructor(
    private readonly transactions: Transactions,
    private readonly attempts: WebhookAttempts,
    private readonly results: WebhookResults,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#sweep.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.#isStopping = true;
    await this.#sweep.stop();
    await this.#lastPoll;
    const abortTimer = setTimeout(() => this.#stopping.abort(), STOP_WITHIN_MS);
    for (const endpointId of this.#claimed.keys()) this.#releaseClaims(endpointId);
    while (this.#running.size > 0) await Promise.all(this.#running);
    clearTimeout(abortTimer);
  }

  /** Schedules a poll, because deliveries may be due. */
  wake(): void {
    if (this.#isScheduled || this.#isStopping) return;
    this.#isScheduled = true;
    const nextPollAt = this.#lastPollAt + pollDelayMs(this.#endedAttempts, this.#idleness.sample());
    this.#endedAttempts = 0;
    void pause(Math.max(0, nextPollAt - performance.now()), undefined, { ref: false })
      .then(() => {
        this.#isScheduled = false;
        return this.#isStopping ? undefined : this.#poll();
      })
      .catch((error: unknown) =>
        this.#log.warn(
          `Failed to poll for due webhook deliveries, retrying on the next sweep: ${String(error)}`,
        ),
      );
  }

  /** Sends all deliveries that are due now and have a slot; resolves when no attempt is running. */
  async deliverAll(): Promise<void> {
    do {
      await Promise.all(this.#running);
      await this.#poll();
    } while (this.#running.size > 0);
  }

  /**
   * Claims and starts as many due deliveries as there are slots. Polls run one after the other, each with its own
   * query.
   */
  #poll(): Promise<void> {
    const poll = this.#lastPoll.then(() => this.#claimAndStart());
    this.#lastPoll = poll.catch(() => undefined);
    return poll;
  }

  async #claimAndStart(): Promise<void> {
    for (const endpointId of this.#claimed.keys()) this.#startClaimed(endpointId);
    const now = this.clock.now();
    const manager = this.transactions.read();
    const endpoints = await dueEndpoints(manager, now);
    this.#slots.prune(endpoints.map(({ id }) => id));
    if (endpoints.length === 0) return;
    this.#lastPollAt = performance.now();
    this.#enabledIds = await idsOfThoseOn(manager);
    for (const endpoint of endpoints) {
      const slots = this.#availableSlots(endpoint.id);
      if (slots === 0 || this.#isStopping || this.#claimed.has(endpoint.id)) continue;
      const deliveries = await this.#claim(endpoint.id, this.#slots.claimSize(endpoint.id, slots));
      this.#claimed.set(endpoint.id, { endpoint, deliveries, until: now.getTime() + START_WITHIN_MS });
      this.#startClaimed(endpoint.id);
    }
  }

  /** Starts as many claimed deliveries of an endpoint as there are slots. */
  #startClaimed(endpointId: number): void {
    const batch = this.#claimed.get(endpointId);
    if (batch === undefined) return;
    if (this.#isStopping || this.clock.now().getTime() > batch.until) return this.#releaseClaims(endpointId);
    const { endpoint, deliveries } = batch;
    for (const delivery of deliveries.splice(0, this.#availableSlots(endpointId)))
      this.#start(endpoint, delivery);
    if (deliveries.length === 0) this.#claimed.delete(endpointId);
  }

  /**
   * Releases the claimed deliveries of an endpoint that have not started. If that fails, they are due when the lease
   * ends.
   */
  #releaseClaims(endpointId: number): void {
    const { deliveries = [] } = this.#claimed.get(endpointId) ?? {};
    this.#claimed.delete(endpointId);
    if (deliveries.length === 0) return;
    const release = this.transactions
      .run((em) => releaseClaims(em, deliveries, this.clock.now()))
      .catch((error: unknown) =>
        this.#log.warn(
          `Failed to release claimed webhook deliveries, they are due again after 30 s: ${String(error)}`,
        ),
      )
      .finally(() => this.#running.delete(release));
    this.#running.add(release);
  }

  #availableSlots(endpointId: number): number {
    return this.#slots.availableSlots(endpointId, this.#enabledIds, this.clock.now().getTime());
  }

  #claim(endpointId: number, limit: number): Promise<ClaimedDelivery[]> {
    const now = this.clock.now();
    const claiming = {
      endpointId,
      limit,
      claim: randomUUID(),
      now,
      until: plusSeconds(now, LEASE_SECONDS),
    };
    return this.transactions.run((em) => claimDue(em, claiming));
  }

  #start(endpoint: WebhookEndpointEntity, delivery: ClaimedDelivery): void {
    this.#slots.begin(endpoint.id);
    const attempt = this.#deliver(endpoint, delivery).finally(() => {
      this.#endedAttempts += 1;
      this.#running.delete(attempt);
      if (!this.#claimed.has(endpoint.id)) this.wake();
    });
    this.#running.add(attempt);
  }

  async #deliver(endpoint: WebhookEndpointEntity, delivery: ClaimedDelivery): Promise<void> {
    const attempt = await this.attempts.make(endpoint, delivery, this.#stopping.signal);
    this.#slots.end(endpoint.id, { ok: attempt.ok, ms: attempt.ms, now: this.clock.now().getTime() });
    if (attempt.ok) this.#startClaimed(endpoint.id);
    else this.#releaseClaims(endpoint.id);
    // An attempt aborted by the shutdown does not count as a failure of the receiver.
    if (this.#stopping.signal.aborted && attempt.error === 'stopped') return;
    try {
      await this.results.record({ endpoint, delivery, attempt });
    } catch (error) {
      this.#log.warn(
        `Failed to record a webhook attempt, the delivery is sent again when its claim ends: ${String(error)}`,
      );
    }
  }
}
