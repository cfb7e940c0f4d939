import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../common/clock';
import { PeriodicJob } from '../common/concurrency/periodic-job';
import { Metrics } from '../common/metrics';
import { isSqlite, type RawMoment, toDate } from './dialect';

const LOOK_INTERVAL_MS = 10_000;
/** Clocks of one network agree this closely, and are then left alone. */
const TOLERANCE_MS = 100;
const WORTH_A_WARNING_MS = 1_000;

/**
 * Lets this instance go by the database's time, which is the same for all: a call's deadline is written by one instance
 * and enforced by another, so a machine whose clock is ahead would end calls early. With SQLite both are one machine.
 */
@Injectable()
export class DatabaseTime implements OnModuleInit, OnModuleDestroy {
  readonly #log = new Logger(DatabaseTime.name);
  readonly #job = new PeriodicJob(this, {
    name: 'database_time',
    everyMs: LOOK_INTERVAL_MS,
    run: () => this.adjust(),
    onFailure: "The clock goes on by the database's time as it was",
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const help = "How far this machine's clock is ahead of the database's, as far as it had to be corrected";
    metrics.gauge('callboard_clock_ahead_seconds', help, () => 0 - this.clock.correctionMs / 1000);
  }

  /** Before the first request, and before calls are swept. */
  async onModuleInit(): Promise<void> {
    if (isSqlite(this.dataSource.manager)) return;
    await this.adjust();
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
  }

  /** Moves the clock as far as the database's answer proves it wrong, which a slow answer does less than a quick one. */
  async adjust(): Promise<void> {
    const asked = this.clock.machineTime();
    const [row] = await this.dataSource.query<{ now: RawMoment }[]>('SELECT UTC_TIMESTAMP(3) AS now');
    const answered = this.clock.machineTime();
    const now = row && toDate(row.now).getTime();
    if (now === undefined || answered < asked) return;
    const before = this.clock.correctionMs;
    const [least, most] = [now - answered, now - asked];
    if (before >= least - TOLERANCE_MS && before <= most + TOLERANCE_MS) return;
    this.clock.correctionMs = Math.min(Math.max(before, least), most);
    const ahead = -this.clock.correctionMs;
    if (Math.abs(ahead) < WORTH_A_WARNING_MS || Math.abs(ahead + before) < WORTH_A_WARNING_MS) return;
    const direction = ahead > 0 ? 'ahead of' : 'behind';
    this.#log.warn(
      `This machine's clock is ${Math.abs(ahead) / 1000} s ${direction} the database's, by which it is corrected`,
    );
  }
}
