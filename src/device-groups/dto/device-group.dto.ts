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
}

/** A group in the tree, with the groups in it. */
export class DeviceGroupNodeResponse extends DeviceGroupResponse {
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
  /** Devices directly in the group. */
  device_count!: number;
  /** Groups directly in the group. */
  child_count!: number;
  /** The groups above it, from the root. */
  path!: DeviceGroupAncestorResponse[];
}

/** The id of a group that was created (specification 4.8). */
export class CreatedDeviceGroupResponse {
  id!: number;
}
