import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { TimestampColumn, PrimaryBigInteger } from '../../database/columns';

/** The latest media report of one terminal in a call. */
@Entity('call_media_states')
export class CallMediaStateEntity {
  @PrimaryBigInteger()
  call_id!: CallId;

  @PrimaryBigInteger()
  user_id!: UserId;

  @PrimaryColumn({ type: 'varchar', length: 64 })
  terminal_id!: string;

  @Column({ type: 'varchar', length: 32, nullable: true })
  stage!: string | null;

  @Column({ type: 'varchar', length: 20, nullable: true })
  network_quality!: string | null;

  @TimestampColumn()
  reported_at!: Date;
}
