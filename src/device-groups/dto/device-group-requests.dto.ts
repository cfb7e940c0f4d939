import {
  Id,
  Ids,
  Integer,
  IntegerOneOf,
  PageNumber,
  PerPage,
  QueryInteger,
  QueryOneOf,
  Text,
} from '../../common/input/fields';
import { Name } from '../../common/input/name-field';
import type { PageRequest } from '../../common/http/page';
import { RequestExample } from '../../openapi/request-example.decorator';
import { DESCRIPTION_LENGTH, NAME_LENGTH, DEVICE_STATUSES } from '../limits';

/** GET /api/admin/device-groups (API 11.2). */
export class ListDeviceGroupsQuery implements PageRequest {
  @PageNumber()
  page!: number;

  @PerPage(15)
  per_page!: number;

  /**
   * Part of the name, without regard to case; at most 100 characters.
   * @example "单元"
   */
  @Text({ max: NAME_LENGTH, optional: true })
  keyword?: string;

  /** 1 enabled, 0 disabled. */
  @QueryOneOf(DEVICE_STATUSES)
  status?: number;

  /** Only the groups directly in this group; 0: only top-level groups. */
  @QueryInteger({ max: Number.MAX_SAFE_INTEGER })
  parent_id?: number;
}

/** POST /api/admin/device-groups (API 11.2). */
export class CreateDeviceGroupRequest {
  /**
   * At most 100 characters; names need not be unique.
   * @example "3 号楼"
   */
  @Name({ max: NAME_LENGTH })
  name!: string;

  /** Description for users, at most 500 characters. */
  @Text({ max: DESCRIPTION_LENGTH, optional: true })
  description?: string;

  /** Id of the parent group; null or left out: top level. */
  @Id({ optional: true, nullable: true })
  parent_id?: number | null;

  /** Groups with smaller numbers come first. */
  @Integer({ default: 0 })
  sort_order!: number;

  /** Ids of devices to add to the new group, at most 500. */
  @Ids({ optional: true })
  device_ids?: number[];
}

/** PUT /api/admin/device-groups/{id}: changes only the sent fields (API 11.2). */
@RequestExample({ name: '阳光花园', description: '住宅小区,三栋楼', sort_order: 1, status: 1 })
export class ChangeDeviceGroupRequest {
  /**
   * At most 100 characters.
   * @example "阳光花园"
   */
  @Name({ max: NAME_LENGTH, optional: true })
  name?: string;

  /** Description for users, at most 500 characters; empty: cleared. */
  @Text({ max: DESCRIPTION_LENGTH, optional: true, clearable: true })
  description?: string;

  /** Id of the group to move this one into, with its subtree; null: top level. */
  @Id({ optional: true, nullable: true })
  parent_id?: number | null;

  /** Groups with smaller numbers come first. */
  @Integer({ optional: true })
  sort_order?: number;

  /** 1 enabled, 0 disabled. */
  @IntegerOneOf(DEVICE_STATUSES, { optional: true })
  status?: number;
}

/** PUT /api/admin/device-groups/{id}/position (API 11.4). */
@RequestExample({ after_id: 8 })
export class PositionRequest {
  /** Id of the parent group; null: top level; left out: the current parent. */
  @Id({ optional: true, nullable: true })
  parent_id?: number | null;

  /**
   * Id of a child of the parent group; the group is placed directly before it. Default: last.
   * @example 8
   */
  @Id({ optional: true })
  before_id?: number;

  /**
   * Id of a child of the parent group; the group is placed directly after it. Not together with `before_id`.
   * @example 8
   */
  @Id({ optional: true })
  after_id?: number;
}

/** POST /api/admin/device-groups/move (API 11.4). */
@RequestExample({ group_ids: [9], after_id: 10 })
export class MoveDeviceGroupsRequest {
  /**
   * At most 500 ids in the new order; no group may be below another one.
   * @example [9]
   */
  @Ids()
  group_ids!: number[];

  /** Id of the parent group; null: top level; left out: the parent that all of them have. */
  @Id({ optional: true, nullable: true })
  parent_id?: number | null;

  /**
   * Id of a child of the parent group; the groups are placed directly before it. Default: last.
   * @example 11
   */
  @Id({ optional: true })
  before_id?: number;

  /**
   * Id of a child of the parent group; the groups are placed directly after it. Not together with `before_id`.
   * @example 10
   */
  @Id({ optional: true })
  after_id?: number;
}

/** GET /api/admin/device-groups/{id}/devices (API 11.2). */
export class ListGroupDevicesQuery implements PageRequest {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;

  /** 1: include the devices of all groups below; 0 or left out: only devices directly in the group. */
  @QueryOneOf([0, 1])
  recursive?: number;
}

/** POST and DELETE /api/admin/device-groups/{id}/devices (API 11.6). */
export class DeviceIdsRequest {
  @Ids()
  device_ids!: number[];
}

/** POST /api/admin/device-groups/{id}/devices/move (API 11.6). */
@RequestExample({ device_ids: [9], from_group_id: 7 })
export class MoveDevicesRequest {
  @Ids()
  device_ids!: number[];

  /**
   * Id of the group that the devices leave; all of them must be in it.
   * @example 7
   */
  @Id()
  from_group_id!: number;
}
