import { Column, Entity, Index } from 'typeorm';
import { BigInteger, TimestampColumn, PrimaryBigInteger } from '../../database/columns';

/**
 * An event of a user, or a run of `run_length` consecutive events. Numbers are dense per user and in commit order
 * (API 13); `seq` is the number of the run's last event. A negative `user_id` is the id of a topic, whose events
 * are stored once for all its subscribers (see `TopicSource`).
 */
@Entity('events')
@Index('ix_events_created', ['created_at'])
export class EventEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryBigInteger()
  seq!: number;

  @Column({ type: 'varchar', length: 50 })
  type!: string;

  @Column({ type: 'int', default: 1 })
  run_length!: number;

  /** The row with the shared prefix of the payload; null if `payload` is complete. */
  @BigInteger({ nullable: true })
  payload_id!: number | null;

  /** Line of the shared text that is the prefix of the run's first event; each following event has the next line. */
  @Column({ type: 'int', default: 0 })
  line!: number;

  /** The payload, a JSON object, or its suffix after the shared prefix. */
  @Column({ type: 'mediumtext' })
  payload!: string;

  /**
   * Count of the run's first event, if its events contain a count; each following event has one more. The count and a
   * closing brace are appended to `payload`.
   */
  @BigInteger({ nullable: true })
  number!: number | null;

  @TimestampColumn()
  created_at!: Date;
}
