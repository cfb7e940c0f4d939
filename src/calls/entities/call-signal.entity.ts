import { Column, Entity, Index } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';

/**
 * A signal from one terminal of a call to the other. The body contains network addresses, so the row is deleted when
 * the call ends, or when the signal has expired; the event log stores only the id (API 6.6).
 */
@Entity('call_signals')
@Index('uq_call_signals', ['call_id', 'sender_id', 'signal_id'], { unique: true })
@Index('ix_call_signals_created', ['created_at'])
export class CallSignalEntity {
  @GeneratedId()
  id!: number;

  @BigInteger()
  call_id!: CallId;

  @BigInteger()
  sender_id!: UserId;

  /** The sender's idempotency key. */
  @Column({ type: 'varchar', length: 64 })
  signal_id!: string;

  /** The payload of the event, a JSON object. */
  @Column({ type: 'mediumtext' })
  body!: string;

  @TimestampColumn()
  created_at!: Date;
}
