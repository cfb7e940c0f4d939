import { Moment, ZeroOrOne } from '../../openapi/response-fields';
import type { DeviceEntity } from '../entities/device.entity';
import { DeviceGroupAncestorResponse } from './device-group.dto';

/** A group that a device is in. */
export class DevicePlaceResponse {
  id!: number;
  name!: string;
  /** The groups above it, from the root. */
  path!: DeviceGroupAncestorResponse[];
}

/** A device (contract 4). */
export class DeviceResponse {
  id!: number;
  name!: string;
  /** Unique among the devices; null when it has none. */
  serial_no!: string | null;
  /** 1 enabled, 0 disabled. */
  @ZeroOrOne()
  status!: number;
  /** ISO 8601, UTC, milliseconds. */
  @Moment()
  created_at!: string;
  /** The groups it is in, in their order. */
  groups!: DevicePlaceResponse[];
}

export const toDeviceResponse = (
  { id, name, serial_no, status, created_at }: Omit<DeviceEntity, 'name_search' | 'serial_no_search'>,
  groups: DevicePlaceResponse[],
): DeviceResponse => ({
  id,
  name,
  serial_no,
  status,
  created_at: created_at.toISOString(),
  groups,
});
