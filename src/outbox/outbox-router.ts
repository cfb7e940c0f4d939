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
import { DataSource } from 'typeorm';
import { Clock, plusSeconds } from '../common/clock';
import { PeriodicJob, repeatWhile } from '../common/concurrency/periodic-job';
import { SingleFlight } from '../common/concurrency/single-flight';
import { RunRecord } from '../common/health/run-record';
import { isDatabaseOutage } from '../database/errors';
import { Transactions } from '../database/transactions';
import type { ActType } from './act-types';
import { Acts } from './acts';
import type { OutboxConsumer } from './outbox-consumer';
import { claimActs, deleteActs, dueActs, holdActs, type Lease } from './store/outbox-rows';

const SWEEP_INTERVAL_MS = 1_000;
/** What somebody begins to want counts within ten seconds on every instance, also where the answer is slow. */
const ASK_INTERVAL_MS = 5_000;
/** Acts that are claimed, and routed, with one transaction. */
const BATCH = 100;
/** As long as routing a batch may take at the very most; then it is another instance's. */
const LEASE_SECONDS = 30;
/** After a run, so that under load more acts share the next one. */
const REST_MS = 50;

/**
 * Routes acts: once each, to all who have registered, on whatever instance. It claims what is due by a conditional
 * UPDATE, then, in one transaction, lets everybody write what follows and deletes the rows that are still its own. Killed
 * in between, it leaves rows that are due again when the lease ends (contract 9).
 */
@Injectable()
export class OutboxRouter implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(OutboxRouter.name);
  /** What has come of routing. */
  readonly record = new RunRecord(() => this.clock.now());
  readonly #consumers: OutboxConsumer[] = [];
  readonly #stopping = new AbortController();
  #recorded?: Subscription;
  /** How often it was asked who wants what. */
  #askings = 0;
  readonly #routing = new SingleFlight(
    () => this.#routeAndRest(),
    (error) => this.#log.warn(String(error)),
  );
  readonly #sweeping = new PeriodicJob(this, {
    name: 'outbox_sweep',
    everyMs: SWEEP_INTERVAL_MS,
    run: async () => this.#routing.runIfIdle(),
    onFailure: 'Acts wait for the next sweep',
  });
  readonly #asking = new PeriodicJob(this, {
    name: 'outbox_wanted_types',
    everyMs: ASK_INTERVAL_MS,
    run: () => this.learnWanted(),
    onFailure: 'What is wanted stays as it was',
  });

  constructor(
    private readonly acts: Acts,
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Adds somebody who wants acts, in its `onModuleInit`. */
  register(consumer: OutboxConsumer): void {
    this.#consumers.push(consumer);
  }

  onModuleInit(): void {
    this.#recorded = this.acts.recorded.subscribe(() => this.#routing.run());
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.learnWanted().catch((error: unknown) =>
      this.#log.warn(`All acts are recorded until it is known which are wanted: ${String(error)}`),
    );
    this.#sweeping.start();
    this.#asking.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.#recorded?.unsubscribe();
    this.#stopping.abort();
    await Promise.all([this.#sweeping.stop(), this.#asking.stop()]);
    await this.#routing.stop();
  }

  /** Asks who wants what. Who knows of a change on this instance lets it count here at once. */
  async learnWanted(): Promise<void> {
    const asking = (this.#askings += 1);
    const wanted = await Promise.all(this.#consumers.map((consumer) => consumer.wantedTypes()));
    // An answer that was overtaken by a later question may be out of date.
    if (asking !== this.#askings) return;
    this.acts.want(new Set<ActType>(wanted.flatMap((types) => [...types])));
  }

  /** Routes all that is due. What fails stays, and comes again when its lease ends. */
  route(): Promise<void> {
    return repeatWhile(async () => {
      const lease = await this.#claim();
      if (lease === undefined) return false;
      await this.#routeLeased(lease);
      return lease.ids.length === BATCH;
    }, this.#stopping.signal);
  }

  /** A run, and the rest after it: as long as until the next sweep where something keeps acts from being routed. */
  async #routeAndRest(): Promise<void> {
    let restMs = REST_MS;
    try {
      await this.record.of(this.route());
    } catch (error) {
      this.#log.warn(`Acts wait for the next sweep: ${String(error)}`);
      restMs = SWEEP_INTERVAL_MS;
    }
    await pause(restMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** Claims what is due; undefined where nothing is. Others may have been faster with some of it, or with all. */
  async #claim(): Promise<Lease | undefined> {
    const now = this.clock.now();
    const ids = await dueActs(this.dataSource.manager, now, BATCH);
    if (ids.length === 0) return undefined;
    const lease = { ids, claim: randomUUID() };
    const until = plusSeconds(now, LEASE_SECONDS);
    await this.transactions.run((em) => claimActs(em, lease, { now, until }));
    return lease;
  }

  /** @throws what kept all of them from being routed */
  async #routeLeased(lease: Lease): Promise<void> {
    try {
      return await this.#routeTogether(lease);
    } catch (error) {
      if (lease.ids.length === 1 || isDatabaseOutage(error)) throw error;
    }
    // One that cannot be routed must not keep the others from it.
    const problems: unknown[] = [];
    for (const id of lease.ids)
      await this.#routeTogether({ ...lease, ids: [id] }).catch((error: unknown) => {
        if (isDatabaseOutage(error)) throw error;
        problems.push(error);
      });
    const [first] = problems;
    if (problems.length === lease.ids.length) throw first;
    if (problems.length > 0)
      this.#log.error(`${problems.length} acts could not be routed, and come again: ${String(first)}`);
  }

  async #routeTogether(lease: Lease): Promise<void> {
    const count = await this.transactions.run(async (em) => {
      const acts = await holdActs(em, lease);
      if (acts.length === 0) return 0;
      for (const consumer of this.#consumers) await consumer.route(acts, em);
      await deleteActs(em, lease);
      return acts.length;
    });
    if (count > 0) for (const consumer of this.#consumers) consumer.routed();
  }
}
