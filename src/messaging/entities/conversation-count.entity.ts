import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';
import type { ConversationType } from './conversation.entity';

/**
 * Counts of a user's conversations of one type, so that the total of a list and the number on the badge need no
 * counting. `hidden` and `unread` leave out large groups, whose members' rows are not updated by messages.
 */
@Entity('conversation_counts', { withoutRowid: true })
export class ConversationCountEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryColumn({ type: 'varchar', length: 8 })
  type!: ConversationType;

  /** All conversations, including hidden ones and large groups. */
  @Column({ type: 'int' })
  total!: number;

  /** Conversations that the user has hidden. */
  @Column({ type: 'int', default: 0 })
  hidden!: number;

  /** Unread messages in conversations that are not muted. */
  @BigInteger({ default: 0 })
  unread!: number;
}
