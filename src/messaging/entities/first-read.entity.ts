import { Entity } from 'typeorm';
import { BigInteger, Moment, PrimaryBigInteger } from '../../database/columns';

/**
 * When messages of a group were first read by somebody else than their sender: the union of all members' read
 * intervals, cut so that no two overlap. With it the first of thousands of readers is found by one look-up.
 */
@Entity('first_reads', { withoutRowid: true })
export class FirstReadEntity {
  @PrimaryBigInteger()
  conversation_id!: number;

  @PrimaryBigInteger()
  to_seq!: number;

  @BigInteger()
  from_seq!: number;

  @Moment()
  read_at!: Date;
}

/**
 * Messages below `first_read_seq` that nobody has read yet: a newcomer who reads on from where they joined leaves
 * one behind. There are few, and they only shrink.
 */
@Entity('first_read_gaps', { withoutRowid: true })
export class FirstReadGapEntity {
  @PrimaryBigInteger()
  conversation_id!: number;

  @PrimaryBigInteger()
  to_seq!: number;

  @BigInteger()
  from_seq!: number;
}
