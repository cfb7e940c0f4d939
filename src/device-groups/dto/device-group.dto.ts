import { SignedInteger, ZeroOrOne } from '../../openapi/response-fields';

/** A group of devices (specification 2.4). */
export class DeviceGroupResponse {
  id!: number;
  name!: string;
  description!: string;
  /** The group it is in; null at the top. */
  parent_id!: number | null;
  /** A smaller one sorts earlier. */
  @SignedInteger()
  sort_order!: number;
  /** 1 enabled, 0 disabled. */
  @ZeroOrOne()
  status!: number;
  /** Devices directly in the group. */
  device_count!: number;
  /** Devices in the group or in any below it, each once. */
  total_device_count!: number;
}

/** A group in the tree, with the groups in it. It knows of no devices: they would change the tree with every one. */
export class DeviceGroupNodeResponse {
  id!: number;
  name!: string;
  description!: string;
  /** The group it is in; null at the top. */
  parent_id!: number | null;
  /** A smaller one sorts earlier. */
  @SignedInteger()
  sort_order!: number;
  /** 1 enabled, 0 disabled. */
  @ZeroOrOne()
  status!: number;
  /** Empty for a leaf. */
  children!: DeviceGroupNodeResponse[];
}

/** A group above another. */
export class DeviceGroupAncestorResponse {
  id!: number;
  name!: string;
}

/** One group in full (contract 4). */
export class DeviceGroupDetailResponse extends DeviceGroupResponse {
  /** Groups directly in the group. */
  child_count!: number;
  /** The groups above it, from the root. */
  path!: DeviceGroupAncestorResponse[];
}

/** How many devices a group has, where it has any. */
export class DeviceCountResponse {
  id!: number;
  /** Devices directly in the group. */
  device_count!: number;
  /** Devices in the group or in any below it, each once. */
  total_device_count!: number;
}

/** The id of a group that was created (specification 4.8). */
export class CreatedDeviceGroupResponse {
  id!: number;
}
