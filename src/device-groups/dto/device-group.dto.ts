import { SignedInteger, ZeroOrOne } from '../../openapi/response-fields';

/** A group of devices (specification 2.4). */
export class DeviceGroupResponse {
  id!: number;
  /**
   * What it is called.
   * @example "阳光花园"
   */
  name!: string;
  /** What people should know about it; empty where nothing is. */
  description!: string;
  parent_id!: number | null;
  @SignedInteger()
  sort_order!: number;
  /** 1 enabled, 0 disabled. */
  @ZeroOrOne()
  status!: number;
  device_count!: number;
  total_device_count!: number;
}

/** A group in the tree, with the groups in it. It knows of no devices: they would change the tree with every one. */
export class DeviceGroupNodeResponse {
  id!: number;
  /**
   * What it is called.
   * @example "阳光花园"
   */
  name!: string;
  /** What people should know about it; empty where nothing is. */
  description!: string;
  parent_id!: number | null;
  @SignedInteger()
  sort_order!: number;
  /** 1 enabled, 0 disabled. */
  @ZeroOrOne()
  status!: number;
  /** The groups in it, in their order; empty for a leaf. */
  children!: DeviceGroupNodeResponse[];
}

/** A group above another. */
export class DeviceGroupAncestorResponse {
  id!: number;
  /**
   * What it is called.
   * @example "阳光花园"
   */
  name!: string;
}

/** One group in full (contract 4). */
export class DeviceGroupDetailResponse extends DeviceGroupResponse {
  /**
   * Groups directly in the group.
   * @example 3
   */
  child_count!: number;
  path!: DeviceGroupAncestorResponse[];
}

/** How many devices a group has, where it has any. */
export class DeviceCountResponse {
  id!: number;
  device_count!: number;
  total_device_count!: number;
}

/** The id of a group that was created (specification 4.8). */
export class CreatedDeviceGroupResponse {
  id!: number;
}
