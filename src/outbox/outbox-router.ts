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
import { DataSource, type EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../common/clock';
import { PeriodicJob, repeatWhile } from '../common/concurrency/periodic-job';
import { SingleFlight } from '../common/concurrency/single-flight';
import { RunRecord } from '../common/health/run-record';
import { isDatabaseOutage } from '../database/errors';
import { Transactions } from '../database/transactions';
import type { ActType } from './act-types';
import { Acts } from './acts';
import type { OutboxAct, OutboxConsumer } from './outbox-consumer';
import { claimActs, type ClaimedAct, deleteActs, dueActs, holdActs, type Lease } from './store/outbox-rows';

const SWEEP_INTERVAL_MS = 1_000;
/** What somebody begins to want counts within ten seconds on every instance, also where the answer is slow. */
const ASK_INTERVAL_MS = 5_000;
/** Acts that are claimed, and routed, with one transaction. */
const BATCH = 100;
/** As long as routing a batch may take at the very most; then it is another instance's. */
const LEASE_SECONDS = 30;
/** After a run, at least. */
const REST_MS = 50;
/** So many times as long as a run was at work is the rest after it: under load more acts share the next one. */
const REST_TO_WORK = 10;
/** Of more than so many the sweep takes care, when their leases end. */
const MOST_IN_MEMORY = 10_000;

/** Acts that are claimed: of this instance, and known, or found by the sweep. */
interface Claimed extends Lease {
  acts?: readonly OutboxAct[];
}

/**
 * Routes acts: once each, to all who have registered, on whatever instance. Those of this instance are written as claimed by
 * it, and routed from memory; what others have left is claimed by a conditional UPDATE when its lease ends. Then, in one
 * transaction, the rows that are still its own are deleted, and everybody writes what follows (contract 9).
 */
@Injectable()
export class OutboxRouter implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(OutboxRouter.name);
  /** What has come of routing. */
  readonly record = new RunRecord(() => this.clock.now());
  readonly #consumers: OutboxConsumer[] = [];
  readonly #stopping = new AbortController();
  /** By which the acts of this instance are claimed as they are written. */
  readonly #claim = randomUUID();
  #recorded?: Subscription;
  /** Acts of this instance that are still to be routed, in the order of their commits. */
  readonly #own: ClaimedAct[] = [];
  #isSweepDue = false;
  /** How often it was asked who wants what. */
  #askings = 0;
  readonly #routing = new SingleFlight(
    () => this.#routeAndRest(),
    (error) => this.#log.warn(String(error)),
  );
  readonly #sweeping = new PeriodicJob(this, {
    name: 'outbox_sweep',
    everyMs: SWEEP_INTERVAL_MS,
    run: async () => {
      this.#isSweepDue = true;
      this.#routing.runIfIdle();
    },
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
    this.acts.claimBy({ claim: this.#claim, seconds: LEASE_SECONDS });
    this.#recorded = this.acts.recorded.subscribe((acts) => {
      if (this.#own.length < MOST_IN_MEMORY) this.#own.push(...acts);
      this.#routing.run();
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.learnWanted().catch((error: unknown) =>
      this.#log.warn(`All acts are recorded until it is known which are wanted: ${String(error)}`),
    );
    this.#sweeping.start();
    this.#asking.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.acts.claimBy(undefined);
    this.#stopping.abort();
    await Promise.all([this.#sweeping.stop(), this.#asking.stop()]);
    await this.#routing.stop();
    this.#recorded?.unsubscribe();
    await this.#routeOwn().catch((error: unknown) =>
      this.#log.warn(`Acts are left to others: ${String(error)}`),
    );
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
  async route(): Promise<void> {
    await this.#routeOwn();
    await this.#routeDue();
  }

  /** Routes what others have left, and what could not be routed before. */
  #routeDue(): Promise<void> {
    return repeatWhile(async () => {
      const lease = await this.#claimDue();
      if (lease === undefined) return false;
      await this.#routeClaimed(lease);
      return lease.ids.length === BATCH;
    }, this.#stopping.signal);
  }

  /**
   * Routes what this instance has written by now; while the database is away it is kept. What comes meanwhile waits for the
   * next run: to follow it up at once would take a transaction for every few acts.
   */
  async #routeOwn(): Promise<void> {
    const waiting = this.#own.splice(0);
    while (waiting.length > 0) {
      const some = waiting.splice(0, BATCH);
      const [ids, acts] = [some.map(({ id }) => id), some.map(({ act }) => act)];
      try {
        await this.#routeClaimed({ ids, claim: this.#claim, acts });
      } catch (error) {
        if (isDatabaseOutage(error)) waiting.unshift(...some);
        this.#own.unshift(...waiting);
        throw error;
      }
    }
  }

  /** A run, and the rest after it: until the next sweep at most, and so long where something keeps acts from being routed. */
  async #routeAndRest(): Promise<void> {
    const begun = performance.now();
    let restMs = SWEEP_INTERVAL_MS;
    try {
      await this.record.of(this.#routeWaiting());
      const workMs = performance.now() - begun;
      restMs = Math.min(Math.max(REST_MS, workMs * REST_TO_WORK), SWEEP_INTERVAL_MS);
    } catch (error) {
      this.#log.warn(`Acts wait for the next sweep: ${String(error)}`);
    }
    await pause(restMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** What this instance has written; and once in a sweep what others have left. */
  async #routeWaiting(): Promise<void> {
    await this.#routeOwn();
    if (!this.#isSweepDue) return;
    this.#isSweepDue = false;
    await this.#routeDue();
  }

  /** Claims what is due; undefined where nothing is. Others may have been faster with some of it, or with all. */
  async #claimDue(): Promise<Lease | undefined> {
    const now = this.clock.now();
    const ids = await dueActs(this.dataSource.manager, now, BATCH);
    if (ids.length === 0) return undefined;
    const lease = { ids, claim: randomUUID() };
    const until = plusSeconds(now, LEASE_SECONDS);
    await this.transactions.run((em) => claimActs(em, lease, { now, until }));
    return lease;
  }

  /** @throws what kept all of them from being routed */
  async #routeClaimed({ ids, claim, acts }: Claimed): Promise<void> {
    try {
      return await this.#routeTogether({ ids, claim, acts });
    } catch (error) {
      if (ids.length === 1 || isDatabaseOutage(error)) throw error;
    }
    // One that cannot be routed must not keep the others from it.
    const problems: unknown[] = [];
    for (const [index, id] of ids.entries())
      await this.#routeTogether({ ids: [id], claim, acts: acts?.slice(index, index + 1) }).catch(
        (error: unknown) => {
          if (isDatabaseOutage(error)) throw error;
          problems.push(error);
        },
      );
    const [first] = problems;
    if (problems.length === ids.length) throw first;
    if (problems.length > 0)
      this.#log.error(`${problems.length} acts could not be routed, and come again: ${String(first)}`);
  }

  async #routeTogether(claimed: Claimed): Promise<void> {
    const count = await this.transactions.run(async (em) => {
      const acts = await takeOut(em, claimed);
      if (acts.length > 0) for (const consumer of this.#consumers) await consumer.route(acts, em);
      return acts.length;
    });
    if (count > 0) for (const consumer of this.#consumers) consumer.routed();
  }
}

/**
 * Takes those acts out that are still claimed so, and answers them.
 * @throws {Error} when they were known, and some of them are not: others had to think that they were forgotten
 */
async function takeOut(em: EntityManager, claimed: Claimed): Promise<readonly OutboxAct[]> {
  const acts = claimed.acts ?? (await holdActs(em, claimed));
  const count = await deleteActs(em, claimed);
  if (count !== acts.length) throw new Error('A lease has ended before its acts were routed');
  return acts;
}
