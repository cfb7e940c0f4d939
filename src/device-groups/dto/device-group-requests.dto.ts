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
import { DESCRIPTION_LENGTH, NAME_LENGTH, STATUSES } from '../limits';

/** GET /api/admin/device-groups (specification 4.6). */
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
  @QueryOneOf(STATUSES)
  status?: number;

  /** Only the groups directly in this one; 0: those at the top. */
  @QueryInteger({ max: Number.MAX_SAFE_INTEGER })
  parent_id?: number;
}

/** POST /api/admin/device-groups (specification 4.8). */
export class CreateDeviceGroupRequest {
  /**
   * At most 100 characters; the same name may occur again.
   * @example "3 号楼"
   */
  @Name({ max: NAME_LENGTH })
  name!: string;

  /** What people should know about it, at most 500 characters. */
  @Text({ max: DESCRIPTION_LENGTH, optional: true })
  description?: string;

  /** The group it goes into; left out or null, it goes to the top. */
  @Id({ optional: true, nullable: true })
  parent_id?: number | null;

  /** A smaller one sorts earlier. */
  @Integer({ default: 0 })
  sort_order!: number;

  /** Devices to put into the new group, at most 500. */
  @Ids({ optional: true })
  device_ids?: number[];
}

/** PUT /api/admin/device-groups/{id}: only what is sent changes (contract 4). */
@RequestExample({ name: '阳光花园', description: '住宅小区,三栋楼', sort_order: 1, status: 1 })
export class ChangeDeviceGroupRequest {
  /**
   * At most 100 characters.
   * @example "阳光花园"
   */
  @Name({ max: NAME_LENGTH, optional: true })
  name?: string;

  /** What people should know about it, at most 500 characters; an empty one clears it. */
  @Text({ max: DESCRIPTION_LENGTH, optional: true, clearable: true })
  description?: string;

  /** Moves the group, with everything in it, into this one; null moves it to the top. */
  @Id({ optional: true, nullable: true })
  parent_id?: number | null;

  /** A smaller one sorts earlier. */
  @Integer({ optional: true })
  sort_order?: number;

  /** 1 enabled, 0 disabled. */
  @IntegerOneOf(STATUSES, { optional: true })
  status?: number;
}

/** PUT /api/admin/device-groups/{id}/position (contract 18.5). */
@RequestExample({ after_id: 8 })
export class PositionRequest {
  /** The group it goes into; null: the top; left out: the one that it is in. */
  @Id({ optional: true, nullable: true })
  parent_id?: number | null;

  /**
   * Right before this child of that group; without it and `after_id` it comes last.
   * @example 8
   */
  @Id({ optional: true })
  before_id?: number;

  /**
   * Right after this one; not together with `before_id`.
   * @example 8
   */
  @Id({ optional: true })
  after_id?: number;
}

/** POST /api/admin/device-groups/move (contract 18.5). */
@RequestExample({ group_ids: [9], after_id: 10 })
export class MoveDeviceGroupsRequest {
  /**
   * At most 500, in the order that they shall have; none below another.
   * @example [9]
   */
  @Ids()
  group_ids!: number[];

  /** The group they go into; null: the top; left out: the one that they are all in. */
  @Id({ optional: true, nullable: true })
  parent_id?: number | null;

  /**
   * Right before this child of that group; without it and `after_id` they come last.
   * @example 11
   */
  @Id({ optional: true })
  before_id?: number;

  /**
   * Right after this one; not together with `before_id`.
   * @example 10
   */
  @Id({ optional: true })
  after_id?: number;
}

/** GET /api/admin/device-groups/{id}/devices (contract 4). */
export class ListGroupDevicesQuery implements PageRequest {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;

  /** 1: also the devices of all groups below; 0, or left out: those directly in the group. */
  @QueryOneOf([0, 1])
  recursive?: number;
}

/** POST and DELETE /api/admin/device-groups/{id}/devices (specification 4.9, contract 4). */
export class DeviceIdsRequest {
  @Ids()
  device_ids!: number[];
}

/** POST /api/admin/device-groups/{id}/devices/move (contract 14.4). */
@RequestExample({ device_ids: [9], from_group_id: 7 })
export class MoveDevicesRequest {
  @Ids()
  device_ids!: number[];

  /**
   * The group that they are in, and leave.
   * @example 7
   */
  @Id()
  from_group_id!: number;
}
