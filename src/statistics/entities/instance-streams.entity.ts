import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Moment } from '../../database/columns';

/** How many event streams are open on an instance, as it tells itself. One that tells nothing for long is gone. */
@Entity('instance_streams', { withoutRowid: true })
export class InstanceStreamsEntity {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  instance_id!: string;

  @Column({ type: 'int' })
  streams!: number;

  @Moment()
  told_at!: Date;
}
