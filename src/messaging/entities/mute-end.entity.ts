import { Entity, Index } from 'typeorm';
import { Moment, PrimaryBigInteger } from '../../database/columns';

/** When a member's muting ends by itself: the agenda of who brings it to its end. */
@Entity('mute_ends', { withoutRowid: true })
@Index('ix_mute_ends_ends_at', ['ends_at'])
export class MuteEndEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryBigInteger()
  conversation_id!: number;

  /** The member's own `mute_until`. */
  @Moment()
  ends_at!: Date;
}
