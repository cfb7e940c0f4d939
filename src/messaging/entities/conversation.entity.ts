import { Column, Entity, Index } from 'typeorm';
import type { ConversationId } from '../../common/ids';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';

export const CONVERSATION_TYPES = ['single', 'group'] as const;
export type ConversationType = (typeof CONVERSATION_TYPES)[number];

/**
 * A single chat or a group. Its row is the lock of the conversation: a transaction that changes more than one member's
 * own row updates it first.
 */
@Entity('conversations')
export class ConversationEntity {
  @GeneratedId()
  id!: ConversationId;

  @Column({ type: 'varchar', length: 8 })
  type!: ConversationType;

  /**
   * The two users of a single chat, `lower:higher`; unique, so that each pair has one chat, whichever user creates it.
   * Null for a group.
   */
  @Index('uq_conversations_single_key', { unique: true })
  @Column({ type: 'varchar', length: 40, nullable: true })
  single_key!: string | null;

  /** Empty for a single chat, which shows the name of the peer. */
  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @Column({ type: 'varchar', length: 500, nullable: true })
  avatar!: string | null;

  @Column({ type: 'int' })
  member_count!: number;

  /** Number of the newest message. Messages are numbered 1, 2, 3 … in commit order, without gaps. */
  @BigInteger()
  max_seq!: number;

  /** The highest number of a recalled message: a read position beyond it has passed all recalls. */
  @BigInteger()
  last_recalled_seq!: number;

  /** Groups: number of the newest message that mentions everybody; 0 when there is none. */
  @BigInteger({ default: 0 })
  last_mention_all_seq!: number;

  /** Number of messages that are notices, which are never unread. */
  @BigInteger({ default: 0 })
  notice_count!: number;

  /** Number of the newest notice; 0 when there is none. */
  @BigInteger({ default: 0 })
  last_notice_seq!: number;

  /** Groups: messages above this number have been read only by their senders (see `FirstReadEntity`). */
  @BigInteger()
  first_read_seq!: number;

  /**
   * Groups: there is no gap of first reads above this number (see `FirstReadGapEntity`); 0 when there never was one.
   */
  @BigInteger()
  first_gap_seq!: number;

  /**
   * Whether the conversation is fanned out on read, as every group that has once been large: its messages do not update
   * the rows of its members.
   */
  @Column({ type: 'boolean' })
  pulled!: boolean;

  @TimestampColumn()
  created_at!: Date;
}
