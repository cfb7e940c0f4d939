import { Column, Entity, Index } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { BigInteger, TimestampColumn, PrimaryBigInteger } from '../../database/columns';
import type { ConversationType } from './conversation.entity';

export type MemberRole = 'owner' | 'member';

/**
 * A user's membership in a conversation. The row is deleted when the user leaves; joining again inserts a new one.
 * Every message of a single chat or a small group updates `sort_at` and `hidden` (fan-out on write), so the list is one
 * range of an index. Messages of a large group do not (`pulled`, fan-out on read): its order comes from the
 * conversation.
 */
@Entity('conversation_members', { withoutRowid: true })
@Index('ix_conversation_members_list', [
  'user_id',
  'pulled',
  'hidden',
  'pinned',
  'sort_at',
  'conversation_id',
])
@Index('ix_conversation_members_list_by_type', [
  'user_id',
  'pulled',
  'hidden',
  'type',
  'pinned',
  'sort_at',
  'conversation_id',
])
@Index('ix_conversation_members_user', ['user_id', 'conversation_id'])
@Index('ix_conversation_members_read', ['conversation_id', 'read_seq'])
@Index('ix_conversation_members_join', ['conversation_id', 'join_seq', 'joined_at', 'user_id'])
export class ConversationMemberEntity {
  @PrimaryBigInteger()
  conversation_id!: ConversationId;

  @PrimaryBigInteger()
  user_id!: UserId;

  /** The type of the conversation, copied for lists of one type. */
  @Column({ type: 'varchar', length: 8 })
  type!: ConversationType;

  /** The other user of a single chat; null in a group. */
  @BigInteger({ nullable: true })
  peer_id!: UserId | null;

  @Column({ type: 'varchar', length: 8 })
  role!: MemberRole;

  /** Number of the first message that this member sees. */
  @BigInteger()
  join_seq!: number;

  @TimestampColumn()
  joined_at!: Date;

  /** All messages up to this number are read. `join_seq - 1` at first; never below the member's own newest message. */
  @BigInteger()
  read_seq!: number;

  /** Number of notices up to `read_seq`; like all notices, they are not unread. */
  @BigInteger({ default: 0 })
  notices_read!: number;

  /** Number of recalled messages after `read_seq`; these are not unread. */
  @Column({ type: 'int', default: 0 })
  recalled_ahead!: number;

  /** Number of the newest message that mentions this member by name, read or not; 0 when there is none. */
  @BigInteger({ default: 0 })
  last_mention_seq!: number;

  /** The highest number of a message that this member has deleted for themselves; 0 when there is none. */
  @BigInteger({ default: 0 })
  last_deleted_seq!: number;

  /** The member has cleared all messages up to this number; 0 when there are none. */
  @BigInteger({ default: 0 })
  cleared_seq!: number;

  /** When the member last cleared the history; null if never. */
  @TimestampColumn({ nullable: true })
  cleared_at!: Date | null;

  @Column({ type: 'boolean' })
  pinned!: boolean;

  @Column({ type: 'boolean' })
  muted!: boolean;

  /**
   * End of the mute, also stored in `mute_ends`; null when it has none. `muted` stays set until the end is processed.
   */
  @TimestampColumn({ nullable: true })
  mute_until!: Date | null;

  @Column({ type: 'boolean' })
  hidden!: boolean;

  /**
   * Number of the newest message when the conversation was last hidden; the next message ends the hiding. -1: never
   * hidden, or shown again by the member.
   */
  @BigInteger()
  hidden_seq!: number;

  /** Whether the conversation is fanned out on read; a copy of its `pulled`. */
  @Column({ type: 'boolean' })
  pulled!: boolean;

  /** Time of the newest message since joining, or of joining; only updated while `pulled` is false. */
  @TimestampColumn()
  sort_at!: Date;

  /**
   * Topic position after which events are received: in a large group, the number of the last event of the group that
   * this member does not receive.
   */
  @BigInteger()
  hears_after!: number;
}
