import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { TimestampColumn, PrimaryBigInteger } from '../../database/columns';

/** Maximum number of code points of an emoji. */
export const EMOJI_LENGTH = 16;

/** A reaction of a user to a message. It stays when the user leaves. */
@Entity('message_reactions', { withoutRowid: true })
@Index('ix_message_reactions_user', ['conversation_id', 'user_id', 'seq'])
export class MessageReactionEntity {
  @PrimaryBigInteger()
  conversation_id!: ConversationId;

  @PrimaryBigInteger()
  seq!: number;

  /** The emoji without U+FE0F. Reactions are compared by it. */
  @PrimaryColumn({ type: 'varchar', length: EMOJI_LENGTH })
  emoji_key!: string;

  @PrimaryBigInteger()
  user_id!: UserId;

  @TimestampColumn()
  created_at!: Date;
}

/** Number of reactions to a message with an emoji. The row is deleted with the last of them. */
@Entity('message_reaction_counts', { withoutRowid: true })
export class MessageReactionCountEntity {
  @PrimaryBigInteger()
  conversation_id!: ConversationId;

  @PrimaryBigInteger()
  seq!: number;

  @PrimaryColumn({ type: 'varchar', length: EMOJI_LENGTH })
  emoji_key!: string;

  /** The emoji as it was first sent. */
  @Column({ type: 'varchar', length: EMOJI_LENGTH })
  emoji!: string;

  /** Number of rows in `message_reactions`. */
  @Column({ type: 'int' })
  count!: number;

  /** Rises with each emoji that is new to the message; reactions are shown in this order. */
  @Column({ type: 'int' })
  n!: number;
}
