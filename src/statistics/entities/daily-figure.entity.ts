import { Entity, PrimaryColumn } from 'typeorm';
import { BigInteger } from '../../database/columns';

/** How much there was of something on a day of `APP_TIMEZONE`; a day without a row had none (contract 14.2). */
@Entity('stats_daily', { withoutRowid: true })
export class DailyFigureEntity {
  /** A name of `rules/metrics.ts`. */
  @PrimaryColumn({ type: 'varchar', length: 40 })
  metric!: string;

  /** `2026-01-31`; empty: of all days together. */
  @PrimaryColumn({ type: 'varchar', length: 10 })
  day!: string;

  @BigInteger()
  value!: number;
}
