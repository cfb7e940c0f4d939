import { Entity } from 'typeorm';
import type { ConversationId } from '../../common/ids';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/** Which messages of a conversation are notices: how many lie after a number follows from one look-up. */
@Entity('message_notices', { withoutRowid: true })
export class MessageNoticeEntity {
  @PrimaryBigInteger()
  conversation_id!: ConversationId;

  @PrimaryBigInteger()
  seq!: number;

  /** The notices of a conversation are numbered 1, 2, 3 … */
  @BigInteger()
  n!: number;
}
