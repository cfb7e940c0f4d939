import { Column, Entity, Index } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { BigInteger, GeneratedId, TimestampColumn, PrimaryBigInteger } from '../../database/columns';

/** Length of the longest name of a user or an API key, in characters. */
export const MAX_SENDER_NAME = 100;
/** The type of a sender: an administrator, or an integration with an API key. */
export type SenderType = 'user' | 'key';

/**
 * A notification to more than one user: named users, the users with a role, or all users that existed when it was sent.
 */
@Entity('announcements')
export class AnnouncementEntity {
  @GeneratedId()
  id!: number;

  /**
   * Sequence number among the broadcasts, which inboxes materialise when they are next read: dense, from 1, in commit
   * order. Null for named users, whose inboxes receive it when it is sent.
   */
  @Index('uq_announcements_broadcast', { unique: true })
  @BigInteger({ nullable: true })
  broadcast_seq!: number | null;

  /** The stored role that recipients must have when their inbox materialises it; null: any role. */
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

  /** Overrides the preferences of its recipients. */
  @Column({ type: 'boolean', default: false })
  critical!: boolean;

  /** The sender columns are null if the sender is unknown. */
  @Column({ type: 'varchar', length: 8, nullable: true })
  sender_type!: SenderType | null;

  @BigInteger({ nullable: true })
  sender_id!: number | null;

  /** Name at the time of sending. */
  @Column({ type: 'varchar', length: MAX_SENDER_NAME, nullable: true })
  sender_name!: string | null;

  /** Number of users in the audience at the time of sending. */
  @BigInteger()
  recipients!: number;

  @TimestampColumn()
  created_at!: Date;

  /** Time of the recall; no inbox materialises it from then on. */
  @TimestampColumn({ nullable: true })
  recalled_at!: Date | null;
}

/** A recalled announcement that may still be in inboxes. */
@Entity('announcement_recalls')
export class AnnouncementRecallEntity {
  @PrimaryBigInteger()
  announcement_id!: number;

  /** End of the claim of the instance that removes it from inboxes. */
  @TimestampColumn()
  claimed_until!: Date;
}

/**
 * The last count of the reach of an announcement. Stored apart, because materialising inboxes lock the announcement.
 */
@Entity('announcement_reaches')
export class AnnouncementReachEntity {
  @PrimaryBigInteger()
  announcement_id!: number;

  /** Number of inboxes that contain it. */
  @BigInteger()
  delivered!: number;

  /** Number of inboxes in which it has been read. */
  @BigInteger()
  read_count!: number;

  /** Null before the first count. */
  @TimestampColumn({ nullable: true })
  counted_at!: Date | null;

  /** End of the claim of the instance that counts. */
  @TimestampColumn()
  claimed_until!: Date;
}
