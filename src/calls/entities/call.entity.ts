import { Column, Entity, Index } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';
import type { CallStatus } from '../rules/call-state.rules';

export const MEDIA_TYPES = ['audio', 'video'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/**
 * A call between two users. Every change of its state is one conditional UPDATE that also increments `version`. A request
 * that finds another version has lost the race and decides again on the current row. Grace periods and leases change only
 * `deadline_at`.
 */
@Entity('calls')
@Index('uq_calls_caller_request', ['caller_id', 'request_id'], { unique: true })
@Index('uq_calls_channel', ['channel_name'], { unique: true })
@Index('ix_calls_deadline', ['deadline_at'])
// Indexes of the search for administrators, newest first (`store/call-search.store.ts`).
@Index('ix_calls_created', ['created_at', 'id'])
@Index('ix_calls_status', ['status', 'media_type', 'created_at', 'id'])
@Index('ix_calls_reason', ['end_reason', 'status', 'media_type', 'created_at', 'id'])
@Index('ix_calls_caller', ['caller_id', 'status', 'media_type', 'created_at', 'id'])
@Index('ix_calls_callee', ['callee_id', 'status', 'media_type', 'created_at', 'id'])
@Index('ix_calls_caller_reason', ['caller_id', 'end_reason', 'created_at', 'id'])
@Index('ix_calls_callee_reason', ['callee_id', 'end_reason', 'created_at', 'id'])
export class CallEntity {
  @GeneratedId()
  id!: CallId;

  @BigInteger()
  caller_id!: UserId;

  @BigInteger()
  callee_id!: UserId;

  /** The caller's idempotency key for the creation of this call. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  request_id!: string | null;

  @Column({ type: 'varchar', length: 8 })
  media_type!: MediaType;

  @Column({ type: 'varchar', length: 16 })
  status!: CallStatus;

  @Column({ type: 'varchar', length: 64, nullable: true })
  end_reason!: string | null;

  /** The user who ended the call; null if the service or an administrator ended it. */
  @BigInteger({ nullable: true })
  ended_by!: number | null;

  @Column({ type: 'int' })
  version!: number;

  @Column({ type: 'varchar', length: 63 })
  channel_name!: string;

  /** The participants' ids in the media channel: 1 to 2^32-1, different from each other. */
  @BigInteger()
  caller_uid!: number;

  @BigInteger()
  callee_uid!: number;

  /** The terminal that placed the call; '' is the nameless one. Null (older calls): any terminal of the caller. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  caller_terminal_id!: string | null;

  /** The terminal that answered or declined; '' is the nameless one. Null: none did. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  answered_terminal_id!: string | null;

  /** When the service ends the call; null once it has finished. */
  @TimestampColumn({ nullable: true })
  deadline_at!: Date | null;

  @TimestampColumn()
  created_at!: Date;

  @TimestampColumn()
  ring_expires_at!: Date;

  @TimestampColumn({ nullable: true })
  accepted_at!: Date | null;

  /** When a terminal or the media provider first reported `joined`. */
  @TimestampColumn({ nullable: true })
  started_at!: Date | null;

  @TimestampColumn({ nullable: true })
  ended_at!: Date | null;
}
