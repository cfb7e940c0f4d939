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
import type { PageRequest } from '../../common/http/page';
import { DESCRIPTION_LENGTH, NAME_LENGTH, STATUSES } from '../limits';

/** GET /api/admin/device-groups (specification 4.6). */
export class ListDeviceGroupsQuery implements PageRequest {
  @PageNumber()
  page!: number;

  @PerPage(15)
  per_page!: number;

  /** Part of the name, without regard to case. */
  @Text({ max: NAME_LENGTH, optional: true })
  keyword?: string;

  /** 1 enabled, 0 disabled. */
  @QueryOneOf(STATUSES)
  status?: number;

  /** Only the groups directly in this one; 0 means the top level. */
  @QueryInteger({ max: Number.MAX_SAFE_INTEGER })
  parent_id?: number;
}

/** POST /api/admin/device-groups (specification 4.8). */
export class CreateDeviceGroupRequest {
  @Text({ max: NAME_LENGTH })
  name!: string;

  @Text({ max: DESCRIPTION_LENGTH, optional: true })
  description?: string;

  /** The group it goes into; left out or null, it goes to the top. */
  @Id({ optional: true, nullable: true })
  parent_id?: number | null;

  /** A smaller one sorts earlier. */
  @Integer({ default: 0 })
  sort_order!: number;

  /** Devices to put into the new group. */
  @Ids({ optional: true })
  device_ids?: number[];
}

/** PUT /api/admin/device-groups/{id}: only what is sent changes (contract 4). */
export class ChangeDeviceGroupRequest {
  @Text({ max: NAME_LENGTH, optional: true, filled: true })
  name?: string;

  /** An empty one clears it. */
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
export class PositionRequest {
  /** The group it goes into; null: the top; left out: the one that it is in. */
  @Id({ optional: true, nullable: true })
  parent_id?: number | null;

  /** Right before this child of that group; without it and `after_id` it comes last. */
  @Id({ optional: true })
  before_id?: number;

  /** Right after this one; not together with `before_id`. */
  @Id({ optional: true })
  after_id?: number;
}

/** POST /api/admin/device-groups/move (contract 18.5). */
export class MoveDeviceGroupsRequest {
  /** In the order that they shall have; none below another. */
  @Ids()
  group_ids!: number[];

  /** The group they go into; null: the top; left out: the one that they are all in. */
  @Id({ optional: true, nullable: true })
  parent_id?: number | null;

  /** Right before this child of that group; without it and `after_id` they come last. */
  @Id({ optional: true })
  before_id?: number;

  /** Right after this one; not together with `before_id`. */
  @Id({ optional: true })
  after_id?: number;
}

/** GET /api/admin/device-groups/{id}/devices (contract 4). */
export class ListGroupDevicesQuery implements PageRequest {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;

  /** 1: also the devices of all groups below. */
  @QueryOneOf([0, 1])
  recursive?: number;
}

/** POST and DELETE /api/admin/device-groups/{id}/devices (specification 4.9, contract 4). */
export class DeviceIdsRequest {
  @Ids()
  device_ids!: number[];
}
