import { Column, Entity, Index } from 'typeorm';
import type { ConversationId, MessageId, UserId } from '../../common/ids';
import { BigInteger, TimestampColumn, PrimaryBigInteger } from '../../database/columns';
import type { MessageType } from '../rules/message-content.rules';

/** A message. Rows are in history order, so any page of the history is one short range. */
@Entity('messages', { withoutRowid: true })
@Index('uq_messages_client_msg_id', ['conversation_id', 'sender_id', 'client_msg_id'], { unique: true })
export class MessageEntity {
  @PrimaryBigInteger()
  conversation_id!: ConversationId;

  @PrimaryBigInteger()
  seq!: number;

  /** Allocated by `message_ids`. */
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

  /** JSON; null: none. Removed by a recall. */
  @Column({ type: 'text', nullable: true })
  attachments!: string | null;

  @TimestampColumn()
  created_at!: Date;

  @TimestampColumn({ nullable: true })
  recalled_at!: Date | null;

  /** Number of the message that it replies to; removed by a recall. */
  @BigInteger({ nullable: true })
  reply_seq!: number | null;

  /**
   * Mentioned users: a JSON list of user ids, in which 0 is everybody; null when there are none. Removed by a recall.
   */
  @Column({ type: 'text', nullable: true })
  mentions!: string | null;

  @Column({ type: 'boolean', default: false })
  is_forwarded!: boolean;

  /** When its content was last changed; removed by a recall. */
  @TimestampColumn({ nullable: true })
  edited_at!: Date | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  client_msg_id!: string | null;

  /** Hash of the content as first sent (`contentHash`), if there is a `client_msg_id`; kept after a recall. */
  @Column({ type: 'varchar', length: 43, nullable: true })
  content_hash!: string | null;

  /** Whether it has rows in `message_reactions`. */
  @Column({ type: 'boolean', default: false })
  has_reactions!: boolean;

  /** Content of a notice, as JSON; null for messages of users. */
  @Column({ type: 'text', nullable: true })
  notice!: string | null;
}
