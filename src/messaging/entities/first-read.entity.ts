import { Entity } from 'typeorm';
import { BigInteger, TimestampColumn, PrimaryBigInteger } from '../../database/columns';

/**
 * When messages of a group were first read by a user other than their sender: the union of the read intervals of all
 * members, cut so that they do not overlap. The first of thousands of reads is then found with one look-up.
 */
@Entity('first_reads', { withoutRowid: true })
export class FirstReadEntity {
  @PrimaryBigInteger()
  conversation_id!: number;

  @PrimaryBigInteger()
  to_seq!: number;

  @BigInteger()
  from_seq!: number;

  @TimestampColumn()
  read_at!: Date;
}

/**
 * Messages below `first_read_seq` that no member has read yet: a new member who reads on from where they joined leaves
 * a gap behind. Gaps are few, and they only shrink.
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
