import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, Moment } from '../../database/columns';
import { NAME_LENGTH, SEARCH_GROWTH, SERIAL_NO_LENGTH } from '../limits';

/** A device as the administrators keep it. */
@Entity('devices')
@Index('ix_devices_status', ['status', 'id'])
@Index('ix_devices_created', ['created_at', 'id'])
export class DeviceEntity {
  @GeneratedId()
  id!: number;

  @Column({ type: 'varchar', length: NAME_LENGTH })
  name!: string;

  /** The name as a search compares it (`foldCase`). */
  @Column({ type: 'varchar', length: NAME_LENGTH * SEARCH_GROWTH })
  name_search!: string;

  /** Null when the device has none. */
  @Index('uq_devices_serial_no', { unique: true })
  @Column({ type: 'varchar', length: SERIAL_NO_LENGTH, nullable: true })
  serial_no!: string | null;

  /** The serial number as a search compares it (`foldCase`). */
  @Column({ type: 'varchar', length: SERIAL_NO_LENGTH * SEARCH_GROWTH, nullable: true })
  serial_no_search!: string | null;

  /** 1 enabled, 0 disabled. */
  @Column({ type: 'int' })
  status!: number;

  @Moment()
  created_at!: Date;
}
