import { Entity } from 'typeorm';
import { TimestampColumn, PrimaryBigInteger } from '../../database/columns';

/** A block of one user by another. It has effect in both directions; only the blocking user is notified. */
@Entity('user_blocks', { withoutRowid: true })
export class UserBlockEntity {
  /** The blocking user. */
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryBigInteger()
  blocked_id!: number;

  @TimestampColumn()
  blocked_at!: Date;
}
