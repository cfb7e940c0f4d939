import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';

/** Kinds of objects that a push is about. */
export type PushJobType = 'call' | 'message' | 'notification';

/**
 * The state that a target should show of an object: a row is a wish, not a message. Each change of the object raises
 * `rev`; the push is composed from the database when it is sent, and the row notes the `rev` that was sent (API 18.2).
 */
@Entity('push_jobs')
@Index('uq_push_jobs_topic', ['target_id', 'topic'], { unique: true })
@Index('ix_push_jobs_due', ['lane', 'due_at'])
@Index('ix_push_jobs_topic', ['topic', 'user_id'])
export class PushJobEntity {
  @GeneratedId()
  id!: number;

  @BigInteger()
  target_id!: number;

  /** The object, such as `call:7`, `conversation:9` or `notification:11`. Also the collapse id. */
  @Column({ type: 'varchar', length: 64 })
  topic!: string;

  @BigInteger()
  user_id!: number;

  @Column({ type: 'varchar', length: 12 })
  type!: PushJobType;

  /** Lane of the kind of its target, for calls or for others. */
  @Column({ type: 'int' })
  lane!: number;

  /** Number of the wished-for state, from 1. */
  @Column({ type: 'int' })
  rev!: number;

  /** The last `rev` that a provider accepted; 0: none. */
  @Column({ type: 'int', default: 0 })
  sent_rev!: number;

  /** The highest `rev` whose receipt the terminal has confirmed; 0: none. */
  @Column({ type: 'int', default: 0 })
  received_rev!: number;

  /** Whether the terminal may show something of the object. */
  @Column({ type: 'boolean', default: false })
  shown!: boolean;

  /** Id of the newest message in the last push; 0: none. */
  @BigInteger({ default: 0 })
  told_id!: number;

  /** Pushes since the conversation was last read, which decide the distance to the next. */
  @Column({ type: 'int', default: 0 })
  pushes!: number;

  /** Failed attempts in a row. */
  @Column({ type: 'int', default: 0 })
  attempts!: number;

  /** When it is sent; null: the wished-for state was sent. While it is claimed, the end of the lease. */
  @TimestampColumn({ nullable: true })
  due_at!: Date | null;

  /** Earliest time of the next push; null: any. */
  @TimestampColumn({ nullable: true })
  next_at!: Date | null;

  /** When a provider last accepted a push; null: never. */
  @TimestampColumn({ nullable: true })
  sent_at!: Date | null;

  /** When the first change that is not sent yet happened. */
  @TimestampColumn()
  caused_at!: Date;

  /** A row that has not ended by then is deleted. */
  @Index('ix_push_jobs_expiry')
  @TimestampColumn()
  expires_at!: Date;

  /** Random name of the lease of the instance that sends it; null: none. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  claim!: string | null;
}
