import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { PeriodicJob } from '../../common/concurrency/periodic-job';
import { Transactions } from '../../database/transactions';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import { DeliverySlots } from '../rules/delivery-slots';
import { claimDue, type ClaimedDelivery } from '../store/delivery-rows';
import { dueEndpoints, idsOfThoseOn } from '../store/endpoint-rows';
import { LoopLoad } from './loop-load';
import { WebhookAttempts } from './webhook-attempts';
import { WebhookResults } from './webhook-results';

const SWEEP_INTERVAL_MS = 1_000;
const LEASE_SECONDS = 30;
/** Between one look and the next, so that what ends meanwhile shares a transaction; longer while requests want the time. */
const REST_MS = 20;
const REST_WHILE_BUSY_MS = 100;
/** So long a stop waits for attempts that are under way; others make them again when their claims have ended. */
const STOP_WITHIN_MS = 5_000;

/**
 * Delivers what is due (contract 12.2): at once when something was routed here, and once a second whatever there is. Every
 * instance does; a claim gives each attempt to one of them, and what a dead one held is due again when its claim has ended.
 */
@Injectable()
export class WebhookDeliverer implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(WebhookDeliverer.name);
  readonly #slots = new DeliverySlots();
  readonly #load = new LoopLoad();
  readonly #underWay = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #sweep = new PeriodicJob(this, {
    name: 'webhook_sweep',
    everyMs: SWEEP_INTERVAL_MS,
    run: () => this.#begin(),
    onFailure: 'Webhooks wait for the next sweep',
  });
  #isAwake = false;
  #isStopping = false;
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
    await Promise.all(this.#underWay);
    clearTimeout(late);
  }

  /** Something may be due. */
  wake(): void {
    if (this.#isAwake || this.#isStopping) return;
    this.#isAwake = true;
    void pause(this.#load.isBusy() ? REST_WHILE_BUSY_MS : REST_MS, undefined, { ref: false })
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
    const now = this.clock.now();
    const { manager } = this.dataSource;
    const endpoints = await dueEndpoints(manager, now);
    this.#slots.keep(endpoints.map(({ id }) => id));
    if (endpoints.length === 0) return;
    const all = await idsOfThoseOn(manager);
    for (const endpoint of endpoints) {
      const most = this.#slots.roomFor(endpoint.id, all, now.getTime());
      if (most === 0 || this.#isStopping) continue;
      for (const delivery of await this.#claim(endpoint.id, most)) this.#start(endpoint, delivery);
    }
  }

  #claim(endpointId: number, most: number): Promise<ClaimedDelivery[]> {
    const now = this.clock.now();
    const claiming = { endpointId, most, claim: randomUUID(), now, until: plusSeconds(now, LEASE_SECONDS) };
    return this.transactions.run((em) => claimDue(em, claiming));
  }

  #start(endpoint: WebhookEndpointEntity, delivery: ClaimedDelivery): void {
    this.#slots.begin(endpoint.id);
    const attempt = this.#deliver(endpoint, delivery).finally(() => {
      this.#underWay.delete(attempt);
      this.wake();
    });
    this.#underWay.add(attempt);
  }

  async #deliver(endpoint: WebhookEndpointEntity, delivery: ClaimedDelivery): Promise<void> {
    const attempt = await this.attempts.make(endpoint, delivery, { signal: this.#stopping.signal });
    this.#slots.end(endpoint.id, { ok: attempt.ok, now: this.clock.now().getTime() });
    // What was broken off by this instance's end says nothing about the receiver.
    if (this.#stopping.signal.aborted && attempt.error === 'stopped') return;
    try {
      await this.results.record({ endpoint, delivery, attempt });
    } catch (error) {
      this.#log.warn(`An attempt is made again, since it could not be recorded: ${String(error)}`);
    }
  }
}
