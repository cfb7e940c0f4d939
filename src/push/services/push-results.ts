import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { SingleFlight } from '../../common/concurrency/single-flight';
import { Transactions } from '../../database/transactions';
import { EventsService } from '../../events/events.service';
import type { PushTargetEntity } from '../entities/push-target.entity';
import type { PushOutcome } from '../rules/push-message.rules';
import { isResponsive, laneOf } from '../rules/push-lanes.rules';
import { type JobResult, resultOf } from '../rules/push-result.rules';
import { rejectedFor } from '../rules/push-schedule.rules';
import { deleteJobs, lockJobs, lockLeases, releaseTargets, updateJobs } from '../store/push-job.store';
import {
  deleteTargets,
  lockUnlessRegisteredAgain,
  setResponsive,
  updateTarget,
} from '../store/push-target.store';
import type { ComposedJob } from './push-composer';
import { PushHealth } from './push-health';
import { PushMetrics } from './push.metrics';

const BATCH_SIZE = 200;
/** An outcome waits for others for this time. */
const LINGER_MS = 25;

/** A job that was handled; `outcome` null: nothing had to be sent. `tookMs`: duration of the attempt. */
export interface HandledJob extends ComposedJob {
  outcome: PushOutcome | null;
  tookMs: number;
}

/** Records the outcomes of pushes, many in one transaction. */
@Injectable()
export class PushResults {
  readonly #log = new Logger(PushResults.name);
  readonly #pending: HandledJob[] = [];
  readonly #writes = new SingleFlight(
    () => this.#write(),
    (error) =>
      this.#log.warn(`Failed to record pushes, they are sent again when their leases end: ${String(error)}`),
  );

  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly metrics: PushMetrics,
    private readonly health: PushHealth,
    private readonly clock: Clock,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  /** Adds an outcome, which is written with others as soon as the previous batch is. */
  add(handled: HandledJob): void {
    if (handled.outcome !== null) this.#count(handled, handled.outcome);
    this.#pending.push(handled);
    this.#writes.run();
  }

  /** Resolves when all outcomes are written. */
  async flush(): Promise<void> {
    while (this.#pending.length > 0) {
      this.#writes.runIfIdle();
      await this.#writes.stop();
    }
    await this.#writes.stop();
  }

  #count({ job, target, composed }: ComposedJob, outcome: PushOutcome): void {
    if (composed.push === null) return;
    const { type, priority } = composed.push;
    this.health.record(target.kind, outcome);
    this.metrics.attempts.inc({ kind: target.kind, type, priority, result: outcome.result });
    const delayMs = Math.max(0, this.now().getTime() - job.caused_at.getTime());
    if (outcome.result === 'accepted') this.metrics.delays.observe({ type }, delayMs / 1000);
    else
      this.#log.warn({
        msg: `Push not accepted: ${outcome.result}`,
        targetId: target.id,
        kind: target.kind,
        reason: outcome.reason,
      });
  }

  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      // Outcomes arrive one by one; together they cost a few statements.
      await pause(LINGER_MS);
      const batch = this.#pending.splice(0, BATCH_SIZE);
      await this.transactions.run((em) => this.#record(em, batch));
    }
  }

  async #record(em: EntityManager, batch: readonly HandledJob[]): Promise<void> {
    const now = this.now();
    const locked = await lockJobs(
      em,
      batch.map(({ job }) => job.id),
    );
    const rows = new Map(locked.map((row) => [row.id, row]));
    const leased = batch.filter(({ job }) => job.claim === null);
    const targetIds = leased.map(({ target }) => target.id);
    const claims = [...new Set(leased.map(({ claim }) => claim))];
    const leases = await lockLeases(em, targetIds, claims);
    const results: { id: number; result: JobResult | undefined }[] = [];
    for (const { job, target, claim, composed, outcome } of batch) {
      const row = rows.get(job.id);
      const currentClaim = job.claim === null ? leases.get(target.id) : row?.claim;
      // Claimed by another instance, because the lease has ended, or deleted.
      if (row === undefined || currentClaim !== claim) continue;
      const isRegisteredAgain = await this.#isRegisteredAgain(em, target, outcome);
      const attempt = { sent: job, row, composed };
      const result = resultOf(attempt, outcome, { now, chance: Math.random(), isRegisteredAgain });
      results.push({ id: row.id, result });
    }
    await updateJobs(
      em,
      results.flatMap(({ result }) => result ?? []),
    );
    await deleteJobs(
      em,
      results.filter(({ result }) => result === undefined).map(({ id }) => id),
    );
    await releaseTargets(em, targetIds, claims);
    for (const handled of batch) {
      await this.#moveToLane(em, handled);
      await this.#updateTarget(em, handled, now);
    }
  }

  /** Whether the app has registered a target since its push was claimed, which the provider then refused. */
  async #isRegisteredAgain(
    em: EntityManager,
    target: PushTargetEntity,
    outcome: PushOutcome | null,
  ): Promise<boolean> {
    if (outcome === null || outcome.result === 'accepted' || outcome.result === 'retry') return false;
    return (await lockUnlessRegisteredAgain(em, target)) === undefined;
  }

  /** Moves the pushes of an endpoint that has begun or ceased to respond. */
  async #moveToLane(em: EntityManager, { job, target, outcome, tookMs }: HandledJob): Promise<void> {
    if (target.kind !== 'webpush' || outcome === null) return;
    const responsive = isResponsive(outcome, tookMs);
    if (job.lane !== laneOf({ kind: target.kind, responsive }, job.type === 'call'))
      await setResponsive(em, target, responsive);
  }

  /** Deletes, rejects or reactivates a target after the provider's response. */
  async #updateTarget(em: EntityManager, { target, outcome }: HandledJob, now: Date): Promise<void> {
    if (outcome === null || outcome.result === 'retry' || outcome.result === 'dropped') return;
    if (outcome.result === 'accepted' && target.state === 'active') return;
    // The response to a former token says nothing about the one that was registered meanwhile.
    const current = await lockUnlessRegisteredAgain(em, target);
    if (current === undefined) return;
    const { id, user_id: userId, kind, terminal_id } = current;
    if (outcome.result === 'removed') {
      await deleteTargets(em, [id]);
      const payload = { id, kind, terminal_id, reason: outcome.reason ?? '' };
      this.events.append(em, [{ userId, type: 'push.target_removed', payload }]);
    } else if (outcome.result === 'accepted') {
      await updateTarget(em, id, { state: 'active', reason: null, rejections: 0, retry_at: null });
    } else if (current.rejections === target.rejections) {
      // Rings are in flight at the same time: their rejections count once.
      const rejections = current.rejections + 1;
      const retry_at = new Date(now.getTime() + rejectedFor(rejections));
      await updateTarget(em, id, { state: 'rejected', reason: outcome.reason, rejections, retry_at });
    }
  }
}
