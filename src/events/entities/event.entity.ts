import { Column, Entity, Index } from 'typeorm';
import { BigInteger, Moment, PrimaryBigInteger } from '../../database/columns';

/**
 * Something that happened to a user. `seq` is dense per user and in the order of the commits (contract 7). Under a
 * negative `user_id`: what happened in a topic, once for all who follow it (see `TopicSource`).
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

  /** What it shares with other events, the beginning of its payload; null when `payload` is all of it. */
  @BigInteger({ nullable: true })
  payload_id!: number | null;

  /** A JSON object, as it is sent, or the rest of one. */
  @Column({ type: 'mediumtext' })
  payload!: string;

  @Moment()
  created_at!: Date;
}
