import { Entity, Index } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';

/** Membership of a device in a group; a device may be in several. */
@Entity('device_memberships', { withoutRowid: true })
@Index('ix_device_memberships_device', ['device_id', 'group_id'])
export class DeviceMembershipEntity {
  @PrimaryBigInteger()
  group_id!: number;

  @PrimaryBigInteger()
  device_id!: number;
}
