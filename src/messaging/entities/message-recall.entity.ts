import { Entity } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';

/**
 * The numbers of recalled messages. From these follows how many recalled messages a read position has passed, without
 * reading the messages.
 */
@Entity('message_recalls', { withoutRowid: true })
export class MessageRecallEntity {
  @PrimaryBigInteger()
  conversation_id!: number;

  @PrimaryBigInteger()
  seq!: number;
}
