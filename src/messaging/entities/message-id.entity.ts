import { Entity } from 'typeorm';
import type { ConversationId, MessageId } from '../../common/ids';
import { BigInteger, GeneratedId } from '../../database/columns';

/** Allocates the ids of messages, and maps an id to its message: the rows of `messages` are in history order. */
@Entity('message_ids')
export class MessageIdEntity {
  @GeneratedId()
  id!: MessageId;

  @BigInteger()
  conversation_id!: ConversationId;

  @BigInteger()
  seq!: number;
}
