import { Entity, PrimaryColumn } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';

/** A dedupe key that has reached a user. It outlives the notification, because a key reaches a user only once. */
@Entity('notification_received_keys', { withoutRowid: true })
export class ReceivedKeyEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryColumn({ type: 'varchar', length: 100 })
  dedupe_key!: string;
}
