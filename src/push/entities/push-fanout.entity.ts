import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';

/** A domain event with a large audience, and how far its pushes are queued (API 18.2). */
@Entity('push_fanouts')
export class PushFanoutEntity {
  @GeneratedId()
  id!: number;

  @Index('uq_push_fanouts_event', { unique: true })
  @Column({ type: 'varchar', length: 40 })
  event_id!: string;

  /** `message`: members of a large group; `broadcast`: all users with targets. */
  @Column({ type: 'varchar', length: 12 })
  type!: 'message' | 'broadcast';

  /** The conversation of the messages; null for a broadcast. */
  @BigInteger({ nullable: true })
  object_id!: number | null;

  /** The sender of the messages, who receives no push; 0: several; null for a broadcast. */
  @BigInteger({ nullable: true })
  sender_id!: number | null;

  /** Users up to this id are done. */
  @BigInteger()
  after_id!: number;

  /** Time of the first domain event. */
  @TimestampColumn()
  created_at!: Date;
}
