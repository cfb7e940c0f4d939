import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { Transactions } from '../../database/transactions';
import { trimSessions, trimTokens } from './sessions.store';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;

/** Deletes expired refresh tokens and sessions in batches. Safe to run on several instances at the same time. */
@Injectable()
export class SessionRetention {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Deletes all expired refresh tokens and sessions. */
  @Periodic({
    name: 'session_retention',
    everyMs: INTERVAL_MS,
    oncePerInstance: true,
    onFailure: 'Failed to delete expired sessions and refresh tokens, retrying on the next run',
  })
  async trim(stopping?: AbortSignal): Promise<void> {
    const em = this.transactions.read();
    for (const trimBatch of [trimTokens, trimSessions])
      await repeatWhile(
        async () => (await trimBatch(em, this.clock.now(), BATCH_SIZE)) === BATCH_SIZE,
        stopping,
      );
  }
}
