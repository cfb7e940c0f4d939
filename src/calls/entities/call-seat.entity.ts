import { Entity } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/**
 * A participant's seat in an unfinished call. The primary key is what makes "one unfinished call per user" true on
 * every database, whatever the race (contract 3.4).
 */
@Entity('call_seats')
export class CallSeatEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @BigInteger()
  call_id!: number;
}
