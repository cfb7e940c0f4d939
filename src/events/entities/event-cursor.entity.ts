import { Entity } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/**
 * The number of the newest event of a user, or of a topic, whose id is negative. The transaction that appends events
 * increments the row and locks it until the commit. The order of the numbers is therefore the order of the commits, and
 * a rollback leaves no gap.
 */
@Entity('event_cursors')
export class EventCursorEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @BigInteger()
  last_seq!: number;
}
