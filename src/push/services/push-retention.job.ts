import { Inject, Injectable } from '@nestjs/common';
import { Clock, plusSeconds } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { CONFIG, type Config } from '../../config/config';
import { isPushConfigured } from '../../config/push-config';
import { Transactions } from '../../database/transactions';
import { deleteOrphanedJobs, trimJobs } from '../store/push-job.store';
import { deleteTargets, unseenTargets } from '../store/push-target.store';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;
const UNSEEN_SECONDS = 180 * 86_400;

/** Deletes expired pushes, due pushes without a target, and targets that were not seen for 180 days, in batches. */
@Injectable()
export class PushRetention {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  @Periodic({
    name: 'push_retention',
    everyMs: INTERVAL_MS,
    onFailure: 'Failed to delete expired pushes, retrying on the next run',
  })
  async trim(stopping?: AbortSignal): Promise<void> {
    if (!isPushConfigured(this.config.push)) return;
    const now = this.clock.now();
    for (const deleteJobs of [trimJobs, deleteOrphanedJobs])
      await repeatWhile(
        async () => (await this.transactions.run((em) => deleteJobs(em, now, BATCH_SIZE))) === BATCH_SIZE,
        stopping,
      );
    await repeatWhile(async () => {
      const ids = await unseenTargets(
        this.transactions.read(),
        plusSeconds(now, -UNSEEN_SECONDS),
        BATCH_SIZE,
      );
      await this.transactions.run((em) => deleteTargets(em, ids));
      return ids.length === BATCH_SIZE;
    }, stopping);
  }
}
