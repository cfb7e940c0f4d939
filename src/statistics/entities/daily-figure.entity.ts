import { Entity, PrimaryColumn } from 'typeorm';
import { BigInteger } from '../../database/columns';

/** Value of a metric on a day of `APP_TIMEZONE`; 0 without a row (API 15.3). */
@Entity('stats_daily', { withoutRowid: true })
export class DailyFigureEntity {
  /** A name of `rules/metrics.ts`. */
  @PrimaryColumn({ type: 'varchar', length: 40 })
  metric!: string;

  /** `2026-01-31`; empty for a metric of all days together. */
  @PrimaryColumn({ type: 'varchar', length: 10 })
  day!: string;

  @BigInteger()
  value!: number;
}
