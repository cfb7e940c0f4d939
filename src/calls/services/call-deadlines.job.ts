import { Injectable } from '@nestjs/common';
import type { Histogram } from 'prom-client';
import { Clock } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { Metrics } from '../../common/metrics';
import { Transactions } from '../../database/transactions';
import type { CallEntity } from '../entities/call.entity';
import { dueCalls } from '../store/calls.store';
import { CallTransitions } from './call-transitions';

const SWEEP_INTERVAL_MS = 1_000;
const BATCH_SIZE = 100;

/**
 * Ends calls within 2 s of their stored deadline, without any request (API 5.7). Every instance sweeps; the
 * conditional UPDATE ensures that each call ends once.
 */
@Injectable()
export class CallDeadlines {
  readonly #delays: Histogram;

  constructor(
    private readonly transactions: Transactions,
    private readonly transitions: CallTransitions,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const help = 'Delay from the deadline of a call to the sweep of this instance that ended it';
    this.#delays = metrics.durations('callboard_call_sweep_delay_seconds', help);
  }

  /** Ends all calls past their deadline. */
  @Periodic({
    name: 'call_deadlines',
    everyMs: SWEEP_INTERVAL_MS,
    oncePerInstance: true,
    onFailure: 'Failed to end calls past their deadline; retrying on the next sweep',
  })
  sweep(stopping?: AbortSignal): Promise<void> {
    return repeatWhile(async () => (await this.#endBatch()) === BATCH_SIZE, stopping);
  }

  /**
   * Ends at most one batch of calls past their deadline, before many calls are read. Errors are ignored: the next sweep
   * retries and logs them.
   */
  async endSomeDue(): Promise<void> {
    await this.#endBatch().catch(() => undefined);
  }

  /** @returns the number of calls found past their deadline */
  async #endBatch(): Promise<number> {
    const due = await dueCalls(this.transactions.read(), this.clock.now(), BATCH_SIZE);
    // A call that fails to end must not prevent the others from ending.
    const outcomes = await Promise.allSettled(due.map((call) => this.#end(call)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    return due.length;
  }

  async #end(call: CallEntity): Promise<void> {
    // False: a request or another instance ended the call. Each call is observed once, by the instance that ended it.
    if (!(await this.transitions.expire(call))) return;
    const delay = this.clock.now().getTime() - (call.deadline_at?.getTime() ?? 0);
    this.#delays.observe(delay / 1000);
  }
}
