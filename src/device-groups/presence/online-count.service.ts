import { Injectable } from '@nestjs/common';
import type { Drift } from '../../common/drift';
import { Metrics, oneAtATime } from '../../common/metrics';
import { Transactions } from '../../database/transactions';
import { onlineCount, recountOnline } from './device-states.store';

/**
 * Number of online devices. It is updated with every change, so reading it costs the same for any number of devices.
 */
@Injectable()
export class OnlineCountService {
  constructor(
    private readonly transactions: Transactions,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'callboard_devices_online',
      'Devices that are online, on all instances',
      oneAtATime(() => this.current()),
    );
  }

  /** Returns the number of online devices. */
  current(): Promise<number> {
    return onlineCount(this.transactions.read());
  }

  /** Recounts the online devices. Yields drift after its correction. Safe while the service is running. */
  async *repair(): AsyncGenerator<Drift> {
    const { stored, actual } = await this.transactions.run(recountOnline);
    if (stored !== actual) yield { counter: 'devices online', stored, actual };
  }
}
