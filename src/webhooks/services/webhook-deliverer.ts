import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { PeriodicJob } from '../../common/concurrency/periodic-job';
import { Transactions } from '../../database/transactions';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import { restMs } from '../rules/delivery-rest';
import { DeliverySlots } from '../rules/delivery-slots';
import { claimDue, type ClaimedDelivery, unclaim } from '../store/delivery-rows';
import { dueEndpoints, idsOfThoseOn } from '../store/endpoint-rows';
import { LoopIdleness } from './loop-idleness';
import { WebhookAttempts } from './webhook-attempts';
import { WebhookResults } from './webhook-results';

const SWEEP_INTERVAL_MS = 1_000;
const LEASE_SECONDS = 30;
/** What was claimed longer ago is given back: its attempt might outlive the lease. */
const BEGIN_WITHIN_MS = 10_000;
/** So long a stop waits for attempts that are under way; others make them again when their claims have ended. */
const STOP_WITHIN_MS = 5_000;

/** Deliveries of an endpoint that are claimed, and wait for a place. */
interface Waiting {
  endpoint: WebhookEndpointEntity;
  deliveries: ClaimedDelivery[];
  /** In milliseconds; what has not begun by then is given back. */
  until: number;
}

/**
 * Delivers what is due (contract 12.2): at once when something was routed here, as far as others leave the time for it, and
 * once a second whatever there is. Every instance does; a claim gives each attempt to one of them, and what a dead one held
 * is due again when its claim has ended.
 */
@Injectable()
export class WebhookDeliverer implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(WebhookDeliverer.name);
  readonly #slots = new DeliverySlots();
  readonly #idleness = new LoopIdleness();
  readonly #underWay = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #sweep = new PeriodicJob(this, {
    name: 'webhook_sweep',
    everyMs: SWEEP_INTERVAL_MS,
    // Whoever rests will look soon.
    run: async () => (this.#isAwake ? undefined : this.#begin()),
    onFailure: 'Webhooks wait for the next sweep',
  });
  readonly #waiting = new Map<number, Waiting>();
  /** The endpoints that were on at the last look. */
  #all: number[] = [];
  #isAwake = false;
  /** How many attempts have ended since the last look at how idle the instance is. */
  #ended = 0;
  #isStopping = false;
  /** When the last look that found something began, on the clock of `performance.now()`. */
  #lookedAt = 0;
  /** The last look, when it is over. */
  #lastLook: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
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
    await this.#lastLook;
    const late = setTimeout(() => this.#stopping.abort(), STOP_WITHIN_MS);
    for (const endpointId of this.#waiting.keys()) this.#giveBack(endpointId);
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    clearTimeout(late);
  }

  /** Something may be due. */
  wake(): void {
    if (this.#isAwake || this.#isStopping) return;
    this.#isAwake = true;
    const restedAt = this.#lookedAt + restMs(this.#ended, this.#idleness.look());
    this.#ended = 0;
    void pause(Math.max(0, restedAt - performance.now()), undefined, { ref: false })
      .then(() => {
        this.#isAwake = false;
        return this.#isStopping ? undefined : this.#begin();
      })
      .catch((error: unknown) => this.#log.warn(`Webhooks wait for the next sweep: ${String(error)}`));
  }

  /** Delivers all that is due now and can be tried; resolves when nothing of it is under way any more. */
  async deliverAll(): Promise<void> {
    do {
      await Promise.all(this.#underWay);
      await this.#begin();
    } while (this.#underWay.size > 0);
  }

  /** Begins as many attempts as there is room for; one look after the other, each at what is due when it begins. */
  #begin(): Promise<void> {
    const look = this.#lastLook.then(() => this.#beginSome());
    this.#lastLook = look.catch(() => undefined);
    return look;
  }

  async #beginSome(): Promise<void> {
    for (const endpointId of this.#waiting.keys()) this.#beginWaiting(endpointId);
    const now = this.clock.now();
    const { manager } = this.dataSource;
    const endpoints = await dueEndpoints(manager, now);
    this.#slots.keep(endpoints.map(({ id }) => id));
    if (endpoints.length === 0) return;
    this.#lookedAt = performance.now();
    this.#all = await idsOfThoseOn(manager);
    for (const endpoint of endpoints) {
      const room = this.#roomFor(endpoint.id);
      if (room === 0 || this.#isStopping || this.#waiting.has(endpoint.id)) continue;
      const deliveries = await this.#claim(endpoint.id, this.#slots.worthClaiming(endpoint.id, room));
      this.#waiting.set(endpoint.id, { endpoint, deliveries, until: now.getTime() + BEGIN_WITHIN_MS });
      this.#beginWaiting(endpoint.id);
    }
  }

  /** Begins as many of the deliveries that an endpoint has claimed as there is room for. */
  #beginWaiting(endpointId: number): void {
    const waiting = this.#waiting.get(endpointId);
    if (waiting === undefined) return;
    if (this.#isStopping || this.clock.now().getTime() > waiting.until) return this.#giveBack(endpointId);
    const { endpoint, deliveries } = waiting;
    for (const delivery of deliveries.splice(0, this.#roomFor(endpointId))) this.#start(endpoint, delivery);
    if (deliveries.length === 0) this.#waiting.delete(endpointId);
  }

  /** Gives back what an endpoint has claimed and not begun with; should that fail, it is due when its lease ends. */
  #giveBack(endpointId: number): void {
    const { deliveries = [] } = this.#waiting.get(endpointId) ?? {};
    this.#waiting.delete(endpointId);
    if (deliveries.length === 0) return;
    const given = this.transactions
      .run((em) => unclaim(em, deliveries, this.clock.now()))
      .catch((error: unknown) =>
        this.#log.warn(`Claimed webhooks wait for the end of their lease: ${String(error)}`),
      )
      .finally(() => this.#underWay.delete(given));
    this.#underWay.add(given);
  }

  #roomFor(endpointId: number): number {
    return this.#slots.roomFor(endpointId, this.#all, this.clock.now().getTime());
  }

  #claim(endpointId: number, most: number): Promise<ClaimedDelivery[]> {
    const now = this.clock.now();
    const claiming = { endpointId, most, claim: randomUUID(), now, until: plusSeconds(now, LEASE_SECONDS) };
    return this.transactions.run((em) => claimDue(em, claiming));
  }

  #start(endpoint: WebhookEndpointEntity, delivery: ClaimedDelivery): void {
    this.#slots.begin(endpoint.id);
    const attempt = this.#deliver(endpoint, delivery).finally(() => {
      this.#ended += 1;
      this.#underWay.delete(attempt);
      if (!this.#waiting.has(endpoint.id)) this.wake();
    });
    this.#underWay.add(attempt);
  }

  async #deliver(endpoint: WebhookEndpointEntity, delivery: ClaimedDelivery): Promise<void> {
    const attempt = await this.attempts.make(endpoint, delivery, { signal: this.#stopping.signal });
    this.#slots.end(endpoint.id, { ok: attempt.ok, ms: attempt.ms, now: this.clock.now().getTime() });
    if (attempt.ok) this.#beginWaiting(endpoint.id);
    else this.#giveBack(endpoint.id);
    // What was broken off by this instance's end says nothing about the receiver.
    if (this.#stopping.signal.aborted && attempt.error === 'stopped') return;
    try {
      await this.results.record({ endpoint, delivery, attempt });
    } catch (error) {
      this.#log.warn(`An attempt is made again, since it could not be recorded: ${String(error)}`);
    }
  }
}
