import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock } from '../common/clock';
import { Metrics, oneAtATime } from '../common/metrics';
import { type RawCount, toCount, toDate } from '../database/sql/dialect';
import { CallEntity } from './entities/call.entity';

interface Row {
  unfinished: RawCount;
  earliest: Date | string | null;
}

/** Exports metrics of all calls: how many are unfinished, and how long the most overdue one is past its deadline. */
@Injectable()
export class CallMetrics {
  constructor(
    metrics: Metrics,
    @InjectRepository(CallEntity) private readonly calls: Repository<CallEntity>,
    private readonly clock: Clock,
  ) {
    const poll = oneAtATime(() => this.#poll());
    metrics.gauge(
      'callboard_calls_unfinished',
      'Unfinished calls of the whole service',
      async () => (await poll()).unfinished,
    );
    metrics.gauge(
      'callboard_calls_overdue_seconds',
      'Time that the most overdue call is past its deadline; 0 when none is',
      async () => (await poll()).overdue,
    );
  }

  /** One query on the deadline index: a call has a deadline exactly while it is unfinished. */
  async #poll(): Promise<{ unfinished: number; overdue: number }> {
    const row = await this.calls
      .createQueryBuilder('c')
      .select(['COUNT(*) AS unfinished', 'MIN(c.deadline_at) AS earliest'])
      .where('c.deadline_at IS NOT NULL')
      .getRawOne<Row>();
    const earliest = row?.earliest ? toDate(row.earliest).getTime() : Number.POSITIVE_INFINITY;
    const overdue = Math.max(0, this.clock.now().getTime() - earliest) / 1000;
    return { unfinished: toCount(row?.unfinished), overdue };
  }
}
