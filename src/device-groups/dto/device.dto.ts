import { Moment, ZeroOrOne } from '../../openapi/response-fields';
import type { DeviceEntity } from '../entities/device.entity';
import { renderGroupPaths } from '../rules/group-names';
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
  /** The user as whom it signs in; null where it does not. */
  user_id!: number | null;
  /** Whether its user has been heard of within `DEVICE_OFFLINE_SECONDS`: by a heartbeat, or an open event stream. */
  online!: boolean;
  /** When its user was last heard of; null of one that never was there. */
  @Moment()
  last_seen_at!: string | null;
  /**
   * What runs on it, as its last heartbeat that told so says; null where none has.
   * @example "2.4.1"
   */
  version!: string | null;
  /**
   * What is left of its battery, in per cent, as its last heartbeat that told so says; null where none has.
   * @example 87
   */
  battery!: number | null;
  /** The groups it is in, in their order. */
  groups!: DevicePlaceResponse[];
}

/** The columns of CSV: the fields of a device, and its groups as an import takes them. */
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

/** A row of CSV (contract 14.4): `group_ids` is `3|14`, `group_path` is `阳光花园/1 号楼`. */
export const toDeviceCsvRow = (device: DeviceResponse) =>
  Object.assign({}, device, {
    group_ids: device.groups.map(({ id }) => id).join('|'),
    group_path: renderGroupPaths(
      device.groups.map(({ name, path }) => [...path.map((above) => above.name), name]),
    ),
  });

/** What of a device's row is shown. */
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
