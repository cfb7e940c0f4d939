import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../database/columns';

/**
 * Number of event streams open on an instance, which writes it. A row that is not renewed belongs to a stopped
 * instance.
 */
@Entity('instance_streams', { withoutRowid: true })
export class InstanceStreamsEntity {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  instance_id!: string;

  @Column({ type: 'int' })
  streams!: number;

  @TimestampColumn()
  told_at!: Date;
}
