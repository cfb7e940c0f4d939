import { Entity, Index } from 'typeorm';
import { TimestampColumn, PrimaryBigInteger } from '../../database/columns';

/** The end of a member's mute. A job ends the mutes whose end has passed. */
@Entity('mute_ends', { withoutRowid: true })
@Index('ix_mute_ends_ends_at', ['ends_at'])
export class MuteEndEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryBigInteger()
  conversation_id!: number;

  /** A copy of the member's `mute_until`. */
  @TimestampColumn()
  ends_at!: Date;
}
