import { Moment, ZeroOrOne } from '../../openapi/response-fields';
import type { DeviceEntity } from '../entities/device.entity';
import { DeviceGroupAncestorResponse } from './device-group.dto';

/** A group that a device is in. */
export class DevicePlaceResponse {
  id!: number;
  /**
   * What it is called.
   * @example "1 单元"
   */
  name!: string;
  /** The groups above it, from the root. */
  path!: DeviceGroupAncestorResponse[];
}

/** A device (contract 4). */
export class DeviceResponse {
  id!: number;
  /**
   * What it is called.
   * @example "101 室内机"
   */
  name!: string;
  serial_no!: string | null;
  /** 1 enabled, 0 disabled. */
  @ZeroOrOne()
  status!: number;
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
