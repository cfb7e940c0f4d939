import { Entity, Index } from 'typeorm';
import { BigInteger, PrimaryBigInteger, TimestampColumn } from '../../database/columns';

/** An archived notification that comes back into the inbox. */
@Entity('notification_snoozes')
@Index('ix_notification_snoozes_due', ['due_at'])
export class NotificationSnoozeEntity {
  @PrimaryBigInteger()
  notification_id!: number;

  @BigInteger()
  user_id!: number;

  @TimestampColumn()
  due_at!: Date;
}
