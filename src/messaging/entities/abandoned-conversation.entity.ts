import { Entity } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';

/** A group whose last member has left. No user can join it any more; its remaining rows are still to be deleted. */
@Entity('abandoned_conversations', { withoutRowid: true })
export class AbandonedConversationEntity {
  @PrimaryBigInteger()
  conversation_id!: number;
}
