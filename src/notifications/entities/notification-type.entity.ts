import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/** The notifications of one type in an inbox. Deleted together with the last one. */
@Entity('notification_types', { withoutRowid: true })
export class NotificationTypeEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryColumn({ type: 'varchar', length: 50 })
  type!: string;

  /** Stands for the type in the blocks of this inbox: the lowest number from 1 that no other type has. */
  @Column({ type: 'int' })
  code!: number;

  /** All notifications, archived ones included. */
  @Column({ type: 'int' })
  total!: number;

  /** Unread notifications that are not archived. */
  @Column({ type: 'int' })
  unread!: number;

  @Column({ type: 'int', default: 0 })
  archived!: number;

  /** Unread notifications that are archived. */
  @Column({ type: 'int', default: 0 })
  archived_unread!: number;

  /** The version of the inbox that last marked the type read; 0: none. Unread bits of older blocks are void. */
  @BigInteger()
  epoch!: number;
}
