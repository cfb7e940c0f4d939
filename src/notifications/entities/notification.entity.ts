import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';

/** One notification in one user's inbox. */
@Entity('notifications')
@Index('uq_notifications_user_seq', ['user_id', 'seq'], { unique: true })
@Index('ix_notifications_user_type_seq', ['user_id', 'type', 'seq'])
@Index('ix_notifications_announcement', ['announcement_id'])
export class NotificationEntity {
  @GeneratedId()
  id!: number;

  @BigInteger()
  user_id!: number;

  /** Position in the inbox, in the order of creation. */
  @BigInteger()
  seq!: number;

  @Column({ type: 'varchar', length: 50 })
  type!: string;

  @Column({ type: 'varchar', length: 100 })
  title!: string;

  @Column({ type: 'varchar', length: 2000 })
  content!: string;

  /** JSON. */
  @Column({ type: 'text', nullable: true })
  data!: string | null;

  @TimestampColumn()
  created_at!: Date;

  /** The announcement that it belongs to; null if it was sent to this user only. */
  @BigInteger({ nullable: true })
  announcement_id!: number | null;

  /** Overrides the preferences of its recipients. */
  @Column({ type: 'boolean', default: false })
  critical!: boolean;
}
