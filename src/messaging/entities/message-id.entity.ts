import { Entity } from 'typeorm';
import type { ConversationId, MessageId } from '../../common/ids';
import { BigInteger, GeneratedId } from '../../database/columns';

/** Allots the ids of messages, and finds a message by its id: `messages` itself is in the order of the histories. */
@Entity('message_ids')
export class MessageIdEntity {
  @GeneratedId()
  id!: MessageId;

  @BigInteger()
  conversation_id!: ConversationId;

  @BigInteger()
  seq!: number;
}
