import { Entity } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';

/**
 * The users whom the messages of a conversation mention, so that the newest remaining mention is found when a message
 * is recalled. User 0 stands for everybody (API 8.5).
 */
@Entity('message_mentions', { withoutRowid: true })
export class MessageMentionEntity {
  @PrimaryBigInteger()
  conversation_id!: number;

  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryBigInteger()
  seq!: number;
}
