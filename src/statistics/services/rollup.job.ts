import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { Transactions } from '../../database/transactions';
import { AbandonedConversationsService } from '../../messaging/services/abandoned-conversations.service';
import type { RemovedMessage } from '../../messaging/store/abandoned-conversations.store';
import { CalendarDays } from '../rules/calendar-days.rules';
import { MESSAGES_REMOVED } from '../rules/metrics.rules';
import { addFigures } from '../store/daily-figures.store';
import {
  ensureCheckpoint,
  acquireRollupLease,
  LEASE,
  lockCheckpoint,
  advanceCheckpoint,
  releaseRollupLease,
} from '../store/checkpoints.store';
import { MESSAGE_ROLLUP, type RollupSource, ROLLUP_SOURCES } from './rollup-sources';

const INTERVAL_MS = 5_000;
/** An instance that has stopped blocks the others from counting for at most this long. */
const LEASE_SECONDS = 30;
const RENEWED_AFTER_SECONDS = 10;
/**
 * Rows newer than this are not counted yet: a transaction that took a lower id may still be uncommitted. Must exceed
 * the longest transaction.
 */
const SAFETY_LAG_SECONDS = 60;
/** Rows counted in one transaction. It locks the checkpoint, and at its end the metric rows. */
const PAGE_SIZE = 1_000;

/** The high watermark of a source at a time, in milliseconds since 1970. */
interface Watermark {
  position: number;
  at: number;
}

/**
 * Rollup job: adds messages and new users to the daily metrics a minute after their creation, along ascending
 * positions. It runs on the one instance that has the lease. The checkpoint is locked and advanced in the transaction
 * that counts, so each row is counted once, even if two instances run it, or one is killed and another takes over
 * (API 15.3).
 */
@Injectable()
export class RollupJob implements OnModuleInit, OnModuleDestroy {
  readonly #log = new Logger(RollupJob.name);
  readonly #claim = randomUUID();
  /** End of this instance's lease, in milliseconds since 1970; undefined while it has none. */
  #leaseUntil?: number;
  /** Watermarks read since this instance has had the lease, by source, oldest first. */
  readonly #watermarks = new Map<string, Watermark[]>();

  constructor(
    private readonly days: CalendarDays,
    private readonly transactions: Transactions,
    private readonly abandoned: AbandonedConversationsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.abandoned.onRemoval((em, messages) => this.#countRemoved(em, messages));
  }

  async onModuleDestroy(): Promise<void> {
    if (this.#leaseUntil === undefined) return;
    await this.transactions
      .run((em) => releaseRollupLease(em, this.#claim))
      .catch((error: unknown) =>
        this.#log.warn(
          `Failed to release the statistics lease; it expires in ${LEASE_SECONDS} s: ${String(error)}`,
        ),
      );
  }

  /** Counts all rows that are older than a minute, unless another instance has the lease. */
  @Periodic({
    name: 'statistics_walk',
    everyMs: INTERVAL_MS,
    oncePerInstance: true,
    onFailure: 'Failed to count messages and new users, retrying on the next run',
  })
  async run(stopping?: AbortSignal): Promise<void> {
    for (const source of ROLLUP_SOURCES) if (await this.#acquireLease()) await this.#rollUp(source, stopping);
  }

  /** Acquires the lease, or renews it when that is due. Returns whether this instance has it. */
  async #acquireLease(): Promise<boolean> {
    const now = this.clock.now();
    const remainingMs = (this.#leaseUntil ?? 0) - now.getTime();
    if (remainingMs > (LEASE_SECONDS - RENEWED_AFTER_SECONDS) * 1_000 && remainingMs <= LEASE_SECONDS * 1_000)
      return true;
    const until = plusSeconds(now, LEASE_SECONDS);
    const isAcquired = await this.transactions.run(async (em) => {
      if (this.#leaseUntil === undefined)
        for (const name of [LEASE, ...ROLLUP_SOURCES.map((source) => source.name)])
          await ensureCheckpoint(em, name);
      return acquireRollupLease(em, { claim: this.#claim, now, until });
    });
    this.#leaseUntil = isAcquired ? until.getTime() : undefined;
    if (!isAcquired) this.#watermarks.clear();
    return isAcquired;
  }

  async #rollUp(source: RollupSource, stopping?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const watermarks = this.#watermarks.get(source.name) ?? [];
    this.#watermarks.set(source.name, watermarks);
    watermarks.push({
      position: await source.highWatermark(this.transactions.read(), now),
      at: now.getTime(),
    });
    const before = now.getTime() - SAFETY_LAG_SECONDS * 1_000;
    const settled = watermarks.findLast(({ at }) => at <= before);
    if (settled === undefined) return;
    const upTo = settled.position;
    await repeatWhile(async () => {
      const startedAt = performance.now();
      if (!(await this.#countPage(source, upTo))) return false;
      // A large backlog, as after an upgrade, uses half of the time and leaves the other half to requests.
      await pause(performance.now() - startedAt);
      return this.#acquireLease();
    }, stopping);
    watermarks.splice(0, watermarks.indexOf(settled));
  }

  /** Counts one page. Returns whether there may be another. */
  #countPage(source: RollupSource, upTo: number): Promise<boolean> {
    return this.transactions.run(async (em) => {
      const after = await lockCheckpoint(em, source.name);
      if (after >= upTo) return false;
      const { made, last } = await source.page(em, { after, upTo }, PAGE_SIZE);
      if (last === undefined) return false;
      await advanceCheckpoint(em, source.name, { from: after, to: last });
      await addFigures(em, source.figures(made, this.days));
      return true;
    });
  }

  /**
   * Keeps messages counted that are deleted with an abandoned group. Those that the rollup has not reached are added
   * now, since it will not find them any more. All are added to `messages.removed`, which a recount includes. The
   * checkpoint is locked, so that the rollup does not count any of them meanwhile.
   */
  async #countRemoved(em: EntityManager, messages: readonly RemovedMessage[]): Promise<void> {
    const position = await lockCheckpoint(em, MESSAGE_ROLLUP.name);
    const sent = messages.filter(({ isNotice }) => !isNotice);
    const removed = MESSAGE_ROLLUP.figures(creationTimes(sent), this.days);
    const uncounted = sent.filter(({ id }) => id > position);
    await addFigures(em, [
      ...removed.map((figure) => ({ ...figure, metric: MESSAGES_REMOVED })),
      ...MESSAGE_ROLLUP.figures(creationTimes(uncounted), this.days),
    ]);
  }
}

const creationTimes = (messages: readonly RemovedMessage[]) =>
  messages.map(({ sentAt }) => ({ at: sentAt.getTime(), count: 1 }));
