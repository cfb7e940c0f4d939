import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';
import type { ConversationType } from './conversation.entity';

/**
 * What a user's conversations of a type come to: the total of a list and the number on the badge without counting them.
 * `hidden` and `unread` leave large groups out, whose members' rows do not follow their messages.
 */
@Entity('conversation_counts', { withoutRowid: true })
export class ConversationCountEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryColumn({ type: 'varchar', length: 8 })
  type!: ConversationType;

  /** The conversations, hidden ones and large groups too. */
  @Column({ type: 'int' })
  total!: number;

  /** Those that the user has hidden. */
  @Column({ type: 'int', default: 0 })
  hidden!: number;

  /** Unread messages in those that are not muted. */
  @BigInteger({ default: 0 })
  unread!: number;
}
