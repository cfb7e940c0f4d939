import { Column, Entity } from 'typeorm';
import { BigInteger, PrimaryBigInteger, TimestampColumn } from '../../database/columns';
import type { Preview } from '../rules/preferences.rules';

/** A user's preferences about pushes. A user without a row has the default preferences. */
@Entity('preferences', { withoutRowid: true })
export class PreferencesEntity {
  @PrimaryBigInteger()
  user_id!: number;

  /** Incremented by each change. */
  @BigInteger()
  version!: number;

  /** End of do-not-disturb; null or past: off. */
  @TimestampColumn({ nullable: true })
  dnd_until!: Date | null;

  /** JSON of `QuietHours`; null: none. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  quiet_hours!: string | null;

  @Column({ type: 'boolean' })
  calls_when_quiet!: boolean;

  @Column({ type: 'varchar', length: 8 })
  preview!: Preview;
}
