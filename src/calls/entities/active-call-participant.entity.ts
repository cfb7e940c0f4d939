import { Entity } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/**
 * Marks a user as being in an unfinished call. The primary key guarantees at most one unfinished call per user on every
 * database, also for concurrent requests (API 5.8). The table is named `call_seats`: a user has one seat.
 */
@Entity('call_seats')
export class ActiveCallParticipantEntity {
  @PrimaryBigInteger()
  user_id!: UserId;

  @BigInteger()
  call_id!: CallId;
}
