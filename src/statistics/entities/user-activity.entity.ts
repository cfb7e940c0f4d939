import { Column, Entity } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';

/** The last day on which a user was active; no other activity is stored (API 15.3). */
@Entity('user_activity')
export class UserActivityEntity {
  @PrimaryBigInteger()
  user_id!: number;

  /** A day of `APP_TIMEZONE`: `2026-01-31`. */
  @Column({ type: 'varchar', length: 10 })
  last_day!: string;
}
