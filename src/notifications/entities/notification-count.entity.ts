import { Column, Entity, PrimaryColumn } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';

/**
 * A node of the count tree (`rules/count-tree.rules.ts`): the number of notifications of one type in one block of an
 * inbox. The root of a type counts all of them; its epoch is the current epoch of the type.
 */
@Entity('notification_counts', { withoutRowid: true })
export class NotificationCountEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryColumn({ type: 'int' })
  level!: number;

  @PrimaryBigInteger()
  block!: number;

  @PrimaryColumn({ type: 'varchar', length: 50 })
  type!: string;

  @Column({ type: 'int' })
  total!: number;

  /** Valid only while `epoch` equals the root's; otherwise the number of unread notifications is zero. */
  @Column({ type: 'int' })
  unread!: number;

  /** The epoch of the type, from 1, when `unread` was last written. Marking a whole type read starts a new epoch. */
  @Column({ type: 'int' })
  epoch!: number;
}
