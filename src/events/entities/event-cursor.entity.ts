import { Entity } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/**
 * How far a user's events have come, or a topic's, whose number is negative. The row is raised in the transaction that
 * appends, and its lock lasts to the commit: the order of the numbers is the order of the commits, and a rolled back
 * event gives its number back.
 */
@Entity('event_cursors')
export class EventCursorEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @BigInteger()
  last_seq!: number;
}
