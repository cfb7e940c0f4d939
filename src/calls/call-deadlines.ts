import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Histogram } from 'prom-client';
import { LessThanOrEqual, type Repository } from 'typeorm';
import { Clock } from '../common/clock';
import { PeriodicJob, repeatWhile } from '../common/concurrency/periodic-job';
import { Metrics } from '../common/metrics';
import { CallTransitions } from './call-transitions';
import { CallEntity } from './entities/call.entity';

const SWEEP_INTERVAL_MS = 1_000;
const BATCH = 100;

/**
 * Ends calls whose stored deadline has passed, within 2 s and without any request (contract 3.4). Every instance
 * sweeps; the conditional UPDATE sees to it that each call ends once.
 */
@Injectable()
export class CallDeadlines implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #job = new PeriodicJob(this, {
    name: 'call_deadlines',
    everyMs: SWEEP_INTERVAL_MS,
    run: (stopping) => this.sweep(stopping),
    onFailure: 'Calls past their deadline wait for the next sweep',
  });
  readonly #delays: Histogram;

  constructor(
    @InjectRepository(CallEntity) private readonly calls: Repository<CallEntity>,
    private readonly transitions: CallTransitions,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const help = 'How long after its deadline a sweep of this instance ended a call';
    this.#delays = metrics.durations('callboard_call_sweep_delay_seconds', help);
  }

  onApplicationBootstrap(): void {
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
  }

  /** Ends every call that is due. */
  sweep(stopping?: AbortSignal): Promise<void> {
    return repeatWhile(async () => (await this.#endBatch()) === BATCH, stopping);
  }

  /**
   * Ends calls that are due, up to a batch of them: for whoever is about to look at many. What cannot be ended now is left
   * to the sweeps, which say so.
   */
  async endSomeDue(): Promise<void> {
    await this.#endBatch().catch(() => undefined);
  }

  /** How many were due. */
  async #endBatch(): Promise<number> {
    const due = await this.calls.find({
      where: { deadline_at: LessThanOrEqual(this.clock.now()) },
      order: { deadline_at: 'ASC' },
      take: BATCH,
    });
    // One call that cannot be ended must not keep the others from it.
    const outcomes = await Promise.allSettled(due.map((call) => this.#end(call)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    return due.length;
  }

  async #end(call: CallEntity): Promise<void> {
    // Whoever else saw it did not end it: the call counts once, on the instance that did.
    if (!(await this.transitions.expire(call))) return;
    const delay = this.clock.now().getTime() - (call.deadline_at?.getTime() ?? 0);
    this.#delays.observe(delay / 1000);
  }
}
