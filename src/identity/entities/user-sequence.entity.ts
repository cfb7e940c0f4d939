import { Entity } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

export const SEQUENCE_ROW = 1;

/**
 * One row: the last id allotted to a user that was created here. The database's own counter would not do: a foreign
 * token may bring the id 2^53-1, and every id after that one would be too large.
 */
@Entity('user_sequence')
export class UserSequenceEntity {
  @PrimaryBigInteger()
  id!: number;

  @BigInteger()
  last_user_id!: number;
}
