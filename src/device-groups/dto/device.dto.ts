import { TimestampField, ZeroOrOne } from '../../openapi/response-fields';
import type { DeviceEntity } from '../entities/device.entity';
import { renderGroupPaths } from '../rules/group-names.rules';
import { DeviceGroupAncestorResponse } from './device-group.dto';

/** A group that contains a device. */
export class DevicePlaceResponse {
  id!: number;
  /**
   * Name of the group.
   * @example "1 单元"
   */
  name!: string;
  /** Ancestors of the group, from the root. */
  path!: DeviceGroupAncestorResponse[];
}

/** A device (API 12.1). */
export class DeviceResponse {
  id!: number;
  /**
   * Name of the device.
   * @example "101 室内机"
   */
  name!: string;
  serial_no!: string | null;
  /** 1 enabled, 0 disabled. */
  @ZeroOrOne()
  status!: number;
  @TimestampField()
  created_at!: string;
  /** Id of the user that the device signs in as; null if there is none. */
  user_id!: number | null;
  /** Whether its user has sent a heartbeat, or had an event stream open, within `DEVICE_OFFLINE_SECONDS`. */
  online!: boolean;
  /** Time of the last heartbeat; null if the device has never been online. */
  @TimestampField()
  last_seen_at!: string | null;
  /**
   * Software version, from the last heartbeat that contained one; null without any.
   * @example "2.4.1"
   */
  version!: string | null;
  /**
   * Battery charge in per cent, from the last heartbeat that contained one; null without any.
   * @example 87
   */
  battery!: number | null;
  /** Groups that contain the device, in order. */
  groups!: DevicePlaceResponse[];
}

/** Columns of CSV: the fields of a device, and its groups in the formats that an import accepts. */
export const DEVICE_COLUMNS = [
  'id',
  'name',
  'serial_no',
  'status',
  'created_at',
  'user_id',
  'online',
  'last_seen_at',
  'version',
  'battery',
  'groups',
  'group_ids',
  'group_path',
] as const;

/** Converts a device to a CSV row (API 12.7): `group_ids` is `3|14`, `group_path` is `阳光花园/1 号楼`. */
export const toDeviceCsvRow = (device: DeviceResponse) =>
  Object.assign({}, device, {
    group_ids: device.groups.map(({ id }) => id).join('|'),
    group_path: renderGroupPaths(
      device.groups.map(({ name, path }) => [...path.map((above) => above.name), name]),
    ),
  });

/** Columns of a device that clients see. */
export type ShownDevice = Omit<DeviceEntity, 'name_search' | 'serial_no_search' | 'offline_at'>;

export const toDeviceResponse = (
  { id, name, serial_no, status, created_at, user_id, online, last_seen_at, version, battery }: ShownDevice,
  groups: DevicePlaceResponse[],
): DeviceResponse => ({
  id,
  name,
  serial_no,
  status,
  created_at: created_at.toISOString(),
  user_id,
  online,
  last_seen_at: last_seen_at && last_seen_at.toISOString(),
  version,
  battery,
  groups,
});
