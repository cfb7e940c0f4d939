import { Column, Entity, Index } from 'typeorm';
import type { ConversationId } from '../../common/ids';
import { BigInteger, GeneratedId, Moment } from '../../database/columns';

export const CONVERSATION_TYPES = ['single', 'group'] as const;
export type ConversationType = (typeof CONVERSATION_TYPES)[number];

/**
 * A chat of two, or of a group. Its row is the lock of the conversation: whoever changes more than a row of their
 * own updates it first.
 */
@Entity('conversations')
export class ConversationEntity {
  @GeneratedId()
  id!: ConversationId;

  @Column({ type: 'varchar', length: 8 })
  type!: ConversationType;

  /** The two users of a single chat, `lower:higher`; unique, so that both sides make one. Null for a group. */
  @Index('uq_conversations_single_key', { unique: true })
  @Column({ type: 'varchar', length: 40, nullable: true })
  single_key!: string | null;

  /** Empty for a single chat, which is named after the peer. */
  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @Column({ type: 'varchar', length: 500, nullable: true })
  avatar!: string | null;

  @Column({ type: 'int' })
  member_count!: number;

  /** The number of the newest message; messages are numbered 1, 2, 3 … in the order of their commits, without a gap. */
  @BigInteger()
  max_seq!: number;

  /** The highest number that was ever recalled: who reads beyond it has passed all recalls. */
  @BigInteger()
  last_recalled_seq!: number;

  /** Groups: the newest message that mentions everybody; 0: none. */
  @BigInteger({ default: 0 })
  last_mention_all_seq!: number;

  /** How many of its messages are notices, which nobody has to read (see `MessageNoticeEntity`). */
  @BigInteger({ default: 0 })
  notice_count!: number;

  /** The number of the newest notice; 0 when there never was one. */
  @BigInteger({ default: 0 })
  last_notice_seq!: number;

  /** Groups: every message above has been read by nobody but its sender (see `FirstReadEntity`). */
  @BigInteger()
  first_read_seq!: number;

  /** Groups: no gap of first reads lies above (see `FirstReadGapEntity`); 0 when there never was one. */
  @BigInteger()
  first_gap_seq!: number;

  /** Fan-out on read, in a group that has grown large: its members' rows do not follow its messages. */
  @Column({ type: 'boolean' })
  pulled!: boolean;

  @Moment()
  created_at!: Date;
}
