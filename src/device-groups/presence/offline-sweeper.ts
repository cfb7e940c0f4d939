import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { Transactions } from '../../database/transactions';
import { DeviceChanges } from '../events/device-changes';
import { lockOverdue, overdueIds } from './device-states.store';

/** Devices taken offline in one transaction. */
const BATCH_SIZE = 200;

/** Takes devices offline that have sent no heartbeat for `DEVICE_OFFLINE_SECONDS`. */
@Injectable()
export class OfflineSweeper {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly changes: DeviceChanges,
  ) {}

  /** Takes all overdue devices offline, in batches. */
  async run(stopping?: AbortSignal): Promise<void> {
    await repeatWhile(async () => {
      const ids = await overdueIds(this.transactions.read(), this.clock.now(), BATCH_SIZE);
      if (ids.length === 0) return false;
      await this.transactions.run(async (em) => {
        // Checked again: another instance may have been first, and the device may have come online since.
        const overdue = await lockOverdue(em, ids, this.clock.now());
        await this.changes.goOffline(em, overdue);
      });
      return ids.length === BATCH_SIZE;
    }, stopping);
  }
}
