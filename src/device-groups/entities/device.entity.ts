import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, Moment } from '../../database/columns';
import { NAME_LENGTH, SEARCH_GROWTH, SERIAL_NO_LENGTH, VERSION_LENGTH } from '../limits';

/** A device as the administrators keep it. */
@Entity('devices')
@Index('ix_devices_status', ['status', 'id'])
@Index('ix_devices_created', ['created_at', 'id'])
// The unique one has no order of those without a number, so a list by it would sort all rows.
@Index('ix_devices_serial_no', ['serial_no', 'id'])
@Index('ix_devices_online', ['online', 'id'])
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

  /** As whom the device signs in; null where it does not. */
  @Index('uq_devices_user', { unique: true })
  @BigInteger({ nullable: true })
  user_id!: number | null;

  /** Whether it is there: its user has been heard of lately. It changes together with `offline_at`. */
  @Column({ type: 'boolean', default: false })
  online!: boolean;

  /** When it goes offline unless its user is heard of again; null while it is offline. */
  @Index('ix_devices_offline')
  @Moment({ nullable: true })
  offline_at!: Date | null;

  /** When its user was last heard of; null of one that never was there. */
  @Moment({ nullable: true })
  last_seen_at!: Date | null;

  /** What runs on it, as it says itself. */
  @Column({ type: 'varchar', length: VERSION_LENGTH, nullable: true })
  version!: string | null;

  /** What is left of its battery, in per cent. */
  @Column({ type: 'int', nullable: true })
  battery!: number | null;
}
