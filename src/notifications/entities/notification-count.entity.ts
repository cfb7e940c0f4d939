import { Column, Entity, PrimaryColumn } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';

/**
 * How many notifications of one type lie in one stretch of an inbox: a node of the count tree (`count-tree.ts`).
 * The root of a type counts all of them; its epoch is the one that holds.
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

  /** Means something only while `epoch` is the root's; zero otherwise. */
  @Column({ type: 'int' })
  unread!: number;

  /** How often the type had been marked read as a whole when `unread` was last written, from 1. */
  @Column({ type: 'int' })
  epoch!: number;
}
