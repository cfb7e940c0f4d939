import { Column, Entity } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { BigInteger, TimestampColumn, PrimaryBigInteger } from '../../database/columns';

/** The last media state of a participant, as reported by the media provider; with the webrtc provider, its lease. */
@Entity('call_media_presences')
export class CallMediaPresenceEntity {
  @PrimaryBigInteger()
  call_id!: CallId;

  @PrimaryBigInteger()
  user_id!: UserId;

  /** `joined`, `left` (permanently), or `lost` (the participant may come back). */
  @Column({ type: 'varchar', length: 8 })
  state!: 'joined' | 'left' | 'lost';

  /** The provider's sequence of this user's events: decimal digits, padded so that text compares as numbers do. */
  @Column({ type: 'varchar', length: 20 })
  position!: string;

  /** Unix time of the event in seconds, by the provider's clock. */
  @BigInteger()
  happened_at!: number;

  /** Whether the participant joined again; the channel may have been closed earlier in that second. Null: unknown. */
  @Column({ type: 'boolean', nullable: true })
  returned!: boolean | null;

  /** End of the time in which a lost participant of an answered call may come back, or of a lease; null: neither. */
  @TimestampColumn({ nullable: true })
  grace_until!: Date | null;
}
