import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import type { PushHealthResponse } from '../dto/push-responses.dto';
import { PUSH_KINDS } from '../entities/push-target.entity';
import { configuredKinds } from '../rules/push-kinds.rules';
import { readPushBacklog, readTargetCounts } from '../store/push-figures.store';

/** Reports the state of the push queue to administrators. */
@Injectable()
export class PushQueueService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  async health(): Promise<PushHealthResponse> {
    const em = this.transactions.read();
    const configured = configuredKinds(this.config.push);
    const { due, overdueMs, fanouts } = await readPushBacklog(em, configured, this.clock.now());
    const counts = await readTargetCounts(em);
    return {
      due,
      oldest_seconds: Math.floor(overdueMs / 1000),
      fanouts,
      kinds: PUSH_KINDS.map((kind) => {
        const { active = 0, rejected = 0, received = 0 } = counts.get(kind) ?? {};
        return { kind, configured: configured.includes(kind), active, rejected, received };
      }),
    };
  }
}
