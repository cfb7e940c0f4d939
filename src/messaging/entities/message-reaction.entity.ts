import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { Moment, PrimaryBigInteger } from '../../database/columns';

/** The code points of an emoji, at most. */
export const EMOJI_LENGTH = 16;

/** Somebody's reaction to a message. It stays when that user leaves. */
@Entity('message_reactions', { withoutRowid: true })
@Index('ix_message_reactions_user', ['conversation_id', 'user_id', 'seq'])
export class MessageReactionEntity {
  @PrimaryBigInteger()
  conversation_id!: ConversationId;

  @PrimaryBigInteger()
  seq!: number;

  /** The emoji without U+FE0F, by which reactions are compared. */
  @PrimaryColumn({ type: 'varchar', length: EMOJI_LENGTH })
  emoji_key!: string;

  @PrimaryBigInteger()
  user_id!: UserId;

  @Moment()
  created_at!: Date;
}

/** How many have reacted to a message with an emoji; gone with the last of them. */
@Entity('message_reaction_counts', { withoutRowid: true })
export class MessageReactionCountEntity {
  @PrimaryBigInteger()
  conversation_id!: ConversationId;

  @PrimaryBigInteger()
  seq!: number;

  @PrimaryColumn({ type: 'varchar', length: EMOJI_LENGTH })
  emoji_key!: string;

  /** As the first of them sent it. */
  @Column({ type: 'varchar', length: EMOJI_LENGTH })
  emoji!: string;

  /** The rows of `message_reactions`. */
  @Column({ type: 'int' })
  count!: number;

  /** Rises with each emoji that is new to the message: the order in which they are shown. */
  @Column({ type: 'int' })
  n!: number;
}
