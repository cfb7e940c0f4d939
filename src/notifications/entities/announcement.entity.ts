import { Column, Entity, Index } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { BigInteger, GeneratedId, Moment, PrimaryBigInteger } from '../../database/columns';

/** In characters: of a user or of a key. */
export const MAX_SENDER_NAME = 100;
/** Who may send: an administrator, or a back end with a key of its own. */
export type SenderType = 'user' | 'key';

/** What an administrator has sent to more than one user: to some, to those of a role, or to all that existed then. */
@Entity('announcements')
export class AnnouncementEntity {
  @GeneratedId()
  id!: number;

  /**
   * Its place among those that inboxes take in when they are next looked at: dense, from 1, in the order of commit. Null of
   * what was put into the inboxes of some users at once.
   */
  @Index('uq_announcements_broadcast', { unique: true })
  @BigInteger({ nullable: true })
  broadcast_seq!: number | null;

  /** The stored role of those whom it is for, tested when an inbox takes it in; null: no matter which. */
  @Column({ type: 'varchar', length: 16, nullable: true })
  role!: Role | null;

  @Column({ type: 'varchar', length: 50 })
  type!: string;

  @Column({ type: 'varchar', length: 100 })
  title!: string;

  @Column({ type: 'varchar', length: 2000 })
  content!: string;

  /** JSON. */
  @Column({ type: 'text', nullable: true })
  data!: string | null;

  @Column({ type: 'varchar', length: 100, nullable: true })
  dedupe_key!: string | null;

  /** Null, as are the next two, where nobody knows who sent it. */
  @Column({ type: 'varchar', length: 8, nullable: true })
  sender_type!: SenderType | null;

  @BigInteger({ nullable: true })
  sender_id!: number | null;

  /** As it was then. */
  @Column({ type: 'varchar', length: MAX_SENDER_NAME, nullable: true })
  sender_name!: string | null;

  /** How many users it was for. */
  @BigInteger()
  recipients!: number;

  @Moment()
  created_at!: Date;

  /** When it was taken back: from then on no inbox takes it in. */
  @Moment({ nullable: true })
  recalled_at!: Date | null;
}

/** An announcement that was taken back and may still be in inboxes. */
@Entity('announcement_recalls')
export class AnnouncementRecallEntity {
  @PrimaryBigInteger()
  announcement_id!: number;

  /** Until then one instance takes it out of them. */
  @Moment()
  claimed_until!: Date;
}

/** How far an announcement has come, as it was counted last: apart, since inboxes hold the announcement they take in. */
@Entity('announcement_reaches')
export class AnnouncementReachEntity {
  @PrimaryBigInteger()
  announcement_id!: number;

  /** In how many inboxes it is. */
  @BigInteger()
  delivered!: number;

  /** In how many of them it has been read. */
  @BigInteger()
  read_count!: number;

  /** Null before the first time. */
  @Moment({ nullable: true })
  counted_at!: Date | null;

  /** Until then one instance counts. */
  @Moment()
  claimed_until!: Date;
}
