import { Column, Entity, Index } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { BigInteger, Moment, PrimaryBigInteger } from '../../database/columns';
import type { ConversationType } from './conversation.entity';

export type MemberRole = 'owner' | 'member';

/**
 * A user's place in a conversation. The row goes when the user leaves; joining again makes a new one.
 * `sort_at` and `hidden` follow every message of a single chat or a small group (fan-out on write), so the list is one
 * range of an index. In a large group they do not (`pulled`, fan-out on read): its order comes from the conversation.
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
@Index('ix_conversation_members_read', ['conversation_id', 'read_seq'])
@Index('ix_conversation_members_join', ['conversation_id', 'join_seq', 'joined_at', 'user_id'])
export class ConversationMemberEntity {
  @PrimaryBigInteger()
  conversation_id!: ConversationId;

  @PrimaryBigInteger()
  user_id!: UserId;

  /** The conversation's, for the list of one type. */
  @Column({ type: 'varchar', length: 8 })
  type!: ConversationType;

  /** The other user of a single chat; null in a group. */
  @BigInteger({ nullable: true })
  peer_id!: UserId | null;

  @Column({ type: 'varchar', length: 8 })
  role!: MemberRole;

  /** The first message that this member sees. */
  @BigInteger()
  join_seq!: number;

  @Moment()
  joined_at!: Date;

  /** Everything up to here is read; `join_seq - 1` at first, never below the member's own newest message. */
  @BigInteger()
  read_seq!: number;

  /** Recalled messages after that, which are not unread. */
  @Column({ type: 'int', default: 0 })
  recalled_ahead!: number;

  /** The newest message that mentions this member by name, read or not; 0: none. */
  @BigInteger({ default: 0 })
  last_mention_seq!: number;

  /** The highest number among the messages that this member has deleted for oneself; 0: none. */
  @BigInteger({ default: 0 })
  last_deleted_seq!: number;

  /** What the member has cleared for oneself: everything up to here; 0: nothing. */
  @BigInteger({ default: 0 })
  cleared_seq!: number;

  /** When that was; null: never. */
  @Moment({ nullable: true })
  cleared_at!: Date | null;

  @Column({ type: 'boolean' })
  pinned!: boolean;

  @Column({ type: 'boolean' })
  muted!: boolean;

  /** When `muted` ends by itself, noted in `mute_ends` too; null when it does not. Until somebody ends it, it stays. */
  @Moment({ nullable: true })
  mute_until!: Date | null;

  @Column({ type: 'boolean' })
  hidden!: boolean;

  /** The newest message when it was last hidden; the next one brings it back. -1: never, or brought back by hand. */
  @BigInteger()
  hidden_seq!: number;

  /** Whether the conversation is fanned out on read; the conversation's own `pulled`. */
  @Column({ type: 'boolean' })
  pulled!: boolean;

  /** When the newest message came, or the member; kept only while not `pulled`. */
  @Moment()
  sort_at!: Date;

  /** Large groups: the last of the group's own events that is none of this member's business. */
  @BigInteger()
  hears_after!: number;
}
