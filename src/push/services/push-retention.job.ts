import { Inject, Injectable } from '@nestjs/common';
import { Clock, plusSeconds } from '../../common/clock';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { CONFIG, type Config } from '../../config/config';
import { isPushConfigured } from '../../config/push-config';
import { Transactions } from '../../database/transactions';
import { deleteOrphanedJobs, trimJobs } from '../store/push-job.store';
import { removePosition } from '../store/push-position.store';
import { deleteTargets, unseenTargets } from '../store/push-target.store';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;
const UNSEEN_SECONDS = 180 * 86_400;
/** Age of a domain event that is not routed after which no instance can have a provider. */
const ABANDONED_SECONDS = 600;

/**
 * Deletes expired pushes, due pushes without a target, and targets that were not seen for 180 days, in batches. Without
 * a provider it removes the position of push in the log of domain events, which the last instance with one has left
 * behind: the log is kept from the lowest position on.
 */
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
    const now = this.clock.now();
    if (!isPushConfigured(this.config.push)) {
      const behindSince = plusSeconds(now, -ABANDONED_SECONDS);
      return this.transactions.run((em) => removePosition(em, { behindSince }));
    }
    for (const deleteJobs of [trimJobs, deleteOrphanedJobs])
      await repeatWhile(
        async () => (await this.transactions.run((em) => deleteJobs(em, now, BATCH_SIZE))) === BATCH_SIZE,
        stopping,
      );
    const unseenSince = plusSeconds(now, -UNSEEN_SECONDS);
    await repeatWhile(
      () =>
        this.transactions.run(async (em) => {
          const ids = await unseenTargets(em, unseenSince, BATCH_SIZE);
          await deleteTargets(em, ids);
          return ids.length === BATCH_SIZE;
        }),
      stopping,
    );
  }
}
