import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { Transactions } from '../../database/transactions';
import { deleteSignals, findOldSignals } from '../store/call-signals.store';
import { signalHorizon } from './signal-life';

/** Short enough that a signal is deleted within a minute of its expiry, even if the service restarts meanwhile. */
const SWEEP_INTERVAL_MS = 30_000;
const BATCH_SIZE = 500;

/**
 * Deletes expired signals of unfinished calls in batches. Runs with every media provider, because another one may have
 * been configured when they were sent. Safe to run on several instances at once.
 */
@Injectable()
export class SignalRetention {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Deletes all expired signals. */
  @Periodic({
    name: 'signal_retention',
    everyMs: SWEEP_INTERVAL_MS,
    oncePerInstance: true,
    onFailure: 'Failed to delete expired call signals; retrying on the next run',
  })
  async sweep(stopping?: AbortSignal): Promise<void> {
    const horizon = signalHorizon(this.clock.now());
    await repeatWhile(async () => {
      const ids = await findOldSignals(this.transactions.read(), horizon, BATCH_SIZE);
      if (ids.length > 0) await this.transactions.run((em) => deleteSignals(em, ids));
      return ids.length === BATCH_SIZE;
    }, stopping);
  }
}
