import { Entity } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { PrimaryBigInteger } from '../../database/columns';

/** A message that a member has deleted for themselves. The row stays when the member leaves. */
@Entity('message_deletions', { withoutRowid: true })
export class MessageDeletionEntity {
  @PrimaryBigInteger()
  conversation_id!: ConversationId;

  @PrimaryBigInteger()
  user_id!: UserId;

  @PrimaryBigInteger()
  seq!: number;
}
