import { Entity } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';

/** A group that its last member has left: nobody can come in any more, and what is left of it is to be removed. */
@Entity('abandoned_conversations', { withoutRowid: true })
export class AbandonedConversationEntity {
  @PrimaryBigInteger()
  conversation_id!: number;
}
