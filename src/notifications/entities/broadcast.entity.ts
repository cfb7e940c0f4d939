import { Column, Entity } from 'typeorm';
import { Moment, PrimaryBigInteger } from '../../database/columns';

/** A notification to every user that existed when it was sent. Ids are dense and in the order of commit. */
@Entity('notification_broadcasts')
export class BroadcastEntity {
  @PrimaryBigInteger()
  id!: number;

  @Column({ type: 'varchar', length: 50 })
  type!: string;

  @Column({ type: 'varchar', length: 100 })
  title!: string;

  @Column({ type: 'varchar', length: 2000 })
  content!: string;

  /** JSON. */
  @Column({ type: 'text', nullable: true })
  data!: string | null;

  @Column({ type: 'varchar', length: 100, nullable: true })
  dedupe_key!: string | null;

  @Moment()
  created_at!: Date;
}
