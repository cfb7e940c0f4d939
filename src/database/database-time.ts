import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../common/clock';
import { PeriodicJob } from '../common/jobs/periodic-job';
import { Metrics } from '../common/metrics';
import { isSqlite, type RawTimestamp, toDate } from './sql/dialect';

const ADJUST_INTERVAL_MS = 10_000;
/** Clocks of one network usually agree this closely. A smaller difference is not corrected. */
const TOLERANCE_MS = 100;
const MIN_WARNING_MS = 1_000;

/**
 * Adjusts the clock of this instance to the database's, which all instances share. A call's deadline is written by one
 * instance and enforced by another, so a machine whose clock is ahead would end calls early. Does nothing on SQLite,
 * where both run on one machine.
 */
@Injectable()
export class DatabaseTime implements OnModuleInit, OnModuleDestroy {
  readonly #log = new Logger(DatabaseTime.name);
  readonly #job = new PeriodicJob(this, {
    name: 'database_time',
    everyMs: ADJUST_INTERVAL_MS,
    run: () => this.adjust(),
    onFailure: "Failed to read the database's clock, keeping the previous correction",
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const help = "Seconds subtracted from this machine's clock because it is ahead of the database's";
    metrics.gauge('callboard_clock_ahead_seconds', help, () => 0 - this.clock.correctionMs / 1000);
  }

  /** Adjusts the clock before the first request, and before the first sweep of calls past their deadline. */
  async onModuleInit(): Promise<void> {
    if (isSqlite(this.dataSource.manager)) return;
    await this.adjust();
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
  }

  /**
   * Corrects the clock by as little as the database's response requires. The database read its clock between the
   * sending of the query and the response, so a slow response leaves a wider range of corrections that may be right.
   */
  async adjust(): Promise<void> {
    const sentAt = this.clock.machineTime();
    const [row] = await this.dataSource.query<{ now: RawTimestamp }[]>('SELECT UTC_TIMESTAMP(3) AS now');
    const receivedAt = this.clock.machineTime();
    const now = row && toDate(row.now).getTime();
    if (now === undefined || receivedAt < sentAt) return;
    const before = this.clock.correctionMs;
    const [min, max] = [now - receivedAt, now - sentAt];
    if (before >= min - TOLERANCE_MS && before <= max + TOLERANCE_MS) return;
    this.clock.correctionMs = Math.min(Math.max(before, min), max);
    const ahead = -this.clock.correctionMs;
    if (Math.abs(ahead) < MIN_WARNING_MS || Math.abs(ahead + before) < MIN_WARNING_MS) return;
    const direction = ahead > 0 ? 'ahead of' : 'behind';
    this.#log.warn(
      `This machine's clock is ${Math.abs(ahead) / 1000} s ${direction} the database's clock, using the database's time`,
    );
  }
}
