import { Entity } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/**
 * That a user is in an unfinished call. The primary key is what makes "one unfinished call per user" true on
 * every database, whatever the race (contract 3.4).
 */
@Entity('call_seats')
export class ActiveCallParticipantEntity {
  @PrimaryBigInteger()
  user_id!: UserId;

  @BigInteger()
  call_id!: CallId;
}
