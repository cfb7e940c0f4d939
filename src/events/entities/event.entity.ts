import { Column, Entity, Index } from 'typeorm';
import { BigInteger, Moment, PrimaryBigInteger } from '../../database/columns';

/**
 * Something that happened to a user, or a run: `run_length` such things, one after the other. Numbers are dense per user
 * and in the order of the commits (contract 7); `seq` is that of the run's last event. Under a negative `user_id`: what
 * happened in a topic, once for all who follow it (see `TopicSource`).
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

  /** What it shares with other events, the beginning of its payload; null when `payload` is all of it. */
  @BigInteger({ nullable: true })
  payload_id!: number | null;

  /** The line of the shared text with which the run's first event begins; the next event begins with the next line. */
  @Column({ type: 'int', default: 0 })
  line!: number;

  /** A JSON object, as it is sent, or the rest of one. */
  @Column({ type: 'mediumtext' })
  payload!: string;

  /** Where the events of a run count something: the first one's number. It and a brace stand behind `payload`. */
  @BigInteger({ nullable: true })
  number!: number | null;

  @Moment()
  created_at!: Date;
}
