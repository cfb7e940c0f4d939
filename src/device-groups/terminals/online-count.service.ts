import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Drift } from '../../common/drift';
import { Metrics, oneAtATime } from '../../common/metrics';
import { Transactions } from '../../database/transactions';
import { onlineCount, recountOnline } from './device-states.queries';

/** How many devices are online, which is kept with each change, at the same cost however many there are. */
@Injectable()
export class OnlineCountService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'callboard_devices_online',
      'Devices that are online, on whatever instance',
      oneAtATime(() => this.current()),
    );
  }

  /** How many devices are online. */
  current(): Promise<number> {
    return onlineCount(this.dataSource.manager);
  }

  /** Counts them again; drift is mended already when it is reported. The service may be running. */
  async *repair(): AsyncGenerator<Drift> {
    const { stored, actual } = await this.transactions.run(recountOnline);
    if (stored !== actual) yield { counter: 'devices online', stored, actual };
  }
}
