import { Column, Entity, Index } from 'typeorm';
import type { ConversationId, MessageId, UserId } from '../../common/ids';
import { BigInteger, Moment, PrimaryBigInteger } from '../../database/columns';
import type { MessageType } from '../rules/message-content';

/** A message. Rows lie in the order of the history, so that any page of it is one short range. */
@Entity('messages', { withoutRowid: true })
@Index('uq_messages_client_msg_id', ['conversation_id', 'sender_id', 'client_msg_id'], { unique: true })
export class MessageEntity {
  @PrimaryBigInteger()
  conversation_id!: ConversationId;

  @PrimaryBigInteger()
  seq!: number;

  /** Allotted by `message_ids`. */
  @BigInteger()
  id!: MessageId;

  @BigInteger()
  sender_id!: UserId;

  @Column({ type: 'varchar', length: 16 })
  type!: MessageType;

  /** Emptied by a recall. */
  @Column({ type: 'text' })
  content!: string;

  /** JSON; removed by a recall. */
  @Column({ type: 'text', nullable: true })
  extra!: string | null;

  @Moment()
  created_at!: Date;

  @Moment({ nullable: true })
  recalled_at!: Date | null;

  /** The number of the message that it answers; removed by a recall. */
  @BigInteger({ nullable: true })
  reply_seq!: number | null;

  /** Whom it mentions, as a JSON list of user ids, of which 0 is everybody; null: nobody. Removed by a recall. */
  @Column({ type: 'text', nullable: true })
  mentions!: string | null;

  @Column({ type: 'boolean', default: false })
  is_forwarded!: boolean;

  /** When its content was last changed; removed by a recall. */
  @Moment({ nullable: true })
  edited_at!: Date | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  client_msg_id!: string | null;

  /** The hash of what was first sent (`contentHash`), where there is a `client_msg_id`; it outlives a recall. */
  @Column({ type: 'varchar', length: 43, nullable: true })
  content_hash!: string | null;

  /** Whether `message_reactions` has any of it. */
  @Column({ type: 'boolean', default: false })
  has_reactions!: boolean;

  /** JSON of what the message tells, where it is a notice; null of what people write. */
  @Column({ type: 'text', nullable: true })
  notice!: string | null;
}
