import { Entity } from 'typeorm';
import type { ConversationId } from '../../common/ids';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/** The messages of a conversation that are notices. The number of notices up to a message takes one look-up. */
@Entity('message_notices', { withoutRowid: true })
export class MessageNoticeEntity {
  @PrimaryBigInteger()
  conversation_id!: ConversationId;

  @PrimaryBigInteger()
  seq!: number;

  /** Number of the notice in its conversation: 1, 2, 3 … */
  @BigInteger()
  n!: number;
}
