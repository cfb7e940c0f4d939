import { Entity } from 'typeorm';
import { Moment, PrimaryBigInteger } from '../../database/columns';

/** Somebody wants nothing to do with somebody else. It works both ways, and only who has made it is told of it. */
@Entity('user_blocks', { withoutRowid: true })
export class UserBlockEntity {
  /** Who has blocked. */
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryBigInteger()
  blocked_id!: number;

  @Moment()
  blocked_at!: Date;
}
