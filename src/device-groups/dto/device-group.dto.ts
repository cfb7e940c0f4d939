import { SignedInteger, ZeroOrOne } from '../../openapi/response-fields';

/** A group of devices (API 11.1). */
export class DeviceGroupResponse {
  id!: number;
  /**
   * Name of the group.
   * @example "阳光花园"
   */
  name!: string;
  /** Description for users; may be empty. */
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

/**
 * A group in the tree, with the groups in it. It has no device counts, so that the tree and its ETag do not change with
 * every membership.
 */
export class DeviceGroupNodeResponse {
  id!: number;
  /**
   * Name of the group.
   * @example "阳光花园"
   */
  name!: string;
  /** Description for users; may be empty. */
  description!: string;
  parent_id!: number | null;
  @SignedInteger()
  sort_order!: number;
  /** 1 enabled, 0 disabled. */
  @ZeroOrOne()
  status!: number;
  /** Groups directly in this one, in order; empty for a leaf. */
  children!: DeviceGroupNodeResponse[];
}

/** An ancestor of a group. */
export class DeviceGroupAncestorResponse {
  id!: number;
  /**
   * Name of the group.
   * @example "阳光花园"
   */
  name!: string;
}

/** A group in full (API 11.1). */
export class DeviceGroupDetailResponse extends DeviceGroupResponse {
  /**
   * Number of groups directly in this one.
   * @example 3
   */
  child_count!: number;
  path!: DeviceGroupAncestorResponse[];
}

/** Device counts of a group; groups without devices are left out. */
export class DeviceCountResponse {
  id!: number;
  device_count!: number;
  total_device_count!: number;
}

/** Id of the created group (API 11.2). */
export class CreatedDeviceGroupResponse {
  id!: number;
}
