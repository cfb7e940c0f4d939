import { Column, Entity } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { BigInteger, Moment, PrimaryBigInteger } from '../../database/columns';

/** What the media provider last told of a participant of a call; where the service is the provider, the lease of one. */
@Entity('call_media_presences')
export class CallMediaPresenceEntity {
  @PrimaryBigInteger()
  call_id!: CallId;

  @PrimaryBigInteger()
  user_id!: UserId;

  /** `joined`, `left` for good, or `lost`: gone, but perhaps not for good. */
  @Column({ type: 'varchar', length: 8 })
  state!: 'joined' | 'left' | 'lost';

  /** The provider's order of this user's events: decimal digits, padded so that text compares as numbers do. */
  @Column({ type: 'varchar', length: 20 })
  position!: string;

  /** When it happened, in seconds since 1970 by the provider's clock. */
  @BigInteger()
  happened_at!: number;

  /** Whether this joining is a return: the channel may have been closed before it, in the same second. Null: not known. */
  @Column({ type: 'boolean', nullable: true })
  returned!: boolean | null;

  /** Until when a lost participant of an answered call may come back, or a lease runs; null for one who need not. */
  @Moment({ nullable: true })
  grace_until!: Date | null;
}
