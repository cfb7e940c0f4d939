import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';
import { NAME_LENGTH, SEARCH_GROWTH, SERIAL_NO_LENGTH, VERSION_LENGTH } from '../limits';

/** A device, managed by administrators. */
@Entity('devices')
@Index('ix_devices_status', ['status', 'id'])
@Index('ix_devices_created', ['created_at', 'id'])
// Rows without a serial number have no order in the unique index, so a list sorted by it would sort all rows.
@Index('ix_devices_serial_no', ['serial_no', 'id'])
@Index('ix_devices_online', ['online', 'id'])
export class DeviceEntity {
  @GeneratedId()
  id!: number;

  @Column({ type: 'varchar', length: NAME_LENGTH })
  name!: string;

  /** Case-folded name for searches (`foldCase`). */
  @Column({ type: 'varchar', length: NAME_LENGTH * SEARCH_GROWTH })
  name_search!: string;

  /** Null if the device has no serial number. */
  @Index('uq_devices_serial_no', { unique: true })
  @Column({ type: 'varchar', length: SERIAL_NO_LENGTH, nullable: true })
  serial_no!: string | null;

  /** Case-folded serial number for searches (`foldCase`). */
  @Column({ type: 'varchar', length: SERIAL_NO_LENGTH * SEARCH_GROWTH, nullable: true })
  serial_no_search!: string | null;

  /** 1 enabled, 0 disabled. */
  @Column({ type: 'int' })
  status!: number;

  @TimestampColumn()
  created_at!: Date;

  /** The user that the device signs in as; null if there is none. */
  @Index('uq_devices_user', { unique: true })
  @BigInteger({ nullable: true })
  user_id!: number | null;

  /** Whether the device has sent a heartbeat recently. Always changes together with `offline_at`. */
  @Column({ type: 'boolean', default: false })
  online!: boolean;

  /** When the device goes offline without another heartbeat; null while it is offline. */
  @Index('ix_devices_offline')
  @TimestampColumn({ nullable: true })
  offline_at!: Date | null;

  /** Time of the last heartbeat; null if the device has never been online. */
  @TimestampColumn({ nullable: true })
  last_seen_at!: Date | null;

  /** Software version, as last reported by the device. */
  @Column({ type: 'varchar', length: VERSION_LENGTH, nullable: true })
  version!: string | null;

  /** Battery charge in per cent, as last reported by the device. */
  @Column({ type: 'int', nullable: true })
  battery!: number | null;
}
