import { Entity } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

export const SEQUENCE_ROW = 1;

/**
 * A single row with the last id allocated to a user created by this service. The database's own counter cannot be used:
 * a token of an identity provider may bring the id 2^53-1, and every later id would be too large.
 */
@Entity('user_sequence')
export class UserSequenceEntity {
  @PrimaryBigInteger()
  id!: number;

  @BigInteger()
  last_user_id!: number;
}
