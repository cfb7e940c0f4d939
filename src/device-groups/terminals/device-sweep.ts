import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../common/clock';
import { repeatWhile } from '../../common/concurrency/periodic-job';
import { Transactions } from '../../database/transactions';
import { DeviceChanges } from '../events/device-changes';
import { holdOverdue, overdueIds } from './device-states.queries';

/** Devices that go offline in one transaction. */
const SWEPT_AT_ONCE = 200;

/** Takes devices offline whose users have not been heard of. */
@Injectable()
export class DeviceSweep {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly changes: DeviceChanges,
  ) {}

  /** Takes all offline that are overdue, some at a time. */
  async run(stopping?: AbortSignal): Promise<void> {
    await repeatWhile(async () => {
      const ids = await overdueIds(this.dataSource.manager, this.clock.now(), SWEPT_AT_ONCE);
      if (ids.length === 0) return false;
      await this.transactions.run(async (em) => {
        // The time is taken anew: another instance may have been first, and then its device have been heard of.
        const overdue = await holdOverdue(em, ids, this.clock.now());
        await this.changes.goOffline(em, overdue);
      });
      return ids.length === SWEPT_AT_ONCE;
    }, stopping);
  }
}
