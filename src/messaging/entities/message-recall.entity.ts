import { Entity } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';

/** The numbers of recalled messages, so that who reads on learns how many of them are passed without reading the messages. */
@Entity('message_recalls', { withoutRowid: true })
export class MessageRecallEntity {
  @PrimaryBigInteger()
  conversation_id!: number;

  @PrimaryBigInteger()
  seq!: number;
}
