import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Health, OFF } from '../../common/health/health';
import { CONFIG, type Config } from '../../config/config';
import { isPushConfigured } from '../../config/push-config';
import { Transactions } from '../../database/transactions';
import { readPushBacklog } from '../store/push-figures.store';

const OVERDUE_MS = 60_000;

/** Reports the health of push to administrators: down if a due push has waited for more than a minute (API 15.4). */
@Injectable()
export class PushHealth {
  constructor(health: Health, transactions: Transactions, clock: Clock, @Inject(CONFIG) { push }: Config) {
    health.register('push', async () => {
      if (!isPushConfigured(push)) return OFF;
      const now = clock.now();
      const { due, earliestDue } = await readPushBacklog(transactions.read(), now);
      const isLate = earliestDue !== null && now.getTime() - earliestDue.getTime() > OVERDUE_MS;
      if (!isLate) return { ...OFF, status: 'up' };
      return { ...OFF, status: 'down', lastErrorAt: now, lastError: `${due} pushes are due` };
    });
  }
}
