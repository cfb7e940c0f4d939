import { EXPORT_FORMATS, type ExportFormat } from '../../common/export/row-export';
import {
  Id,
  Ids,
  Integer,
  IntegerOneOf,
  OneOf,
  PageNumber,
  PerPage,
  QueryId,
  QueryOneOf,
  SortBy,
  Text,
} from '../../common/input/fields';
import { Name } from '../../common/input/name-field';
import { MomentOrDay } from '../../common/input/moment-fields';
import type { PageRequest } from '../../common/http/page';
import { ENABLED, NAME_LENGTH, SERIAL_NO_LENGTH, DEVICE_STATUSES } from '../limits';

/** Filter of devices (API 12.2). */
export class SearchDevicesQuery {
  /**
   * Part of the name or of the serial number, without regard to case; at most 100 characters.
   * @example "YG-01"
   */
  @Text({ max: NAME_LENGTH, optional: true })
  keyword?: string;

  /** 1 enabled, 0 disabled. */
  @QueryOneOf(DEVICE_STATUSES)
  status?: number;

  /**
   * Only the devices directly in this group.
   * @example 1
   */
  @QueryId()
  group_id?: number;

  /** 1: only devices in no group; 0 or left out: all. */
  @QueryOneOf([0, 1])
  ungrouped?: number;

  /** 1: only online devices; 0: only offline devices. */
  @QueryOneOf([0, 1])
  online?: number;

  /** Only devices created at or after this time: a moment, or a day of `APP_TIMEZONE`. */
  @MomentOrDay()
  from?: string;

  /** Only devices created before this moment, or up to the end of this day. */
  @MomentOrDay()
  to?: string;
}

/** GET /api/admin/devices (API 12.2). */
export class ListDevicesQuery extends SearchDevicesQuery implements PageRequest {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;

  /** Field to sort by, descending with a leading `-`; default: id. */
  @SortBy(['id', 'serial_no', 'status', 'created_at'])
  sort?: string;
}

/** GET /api/admin/devices/export (API 12.7). */
export class ExportDevicesQuery extends SearchDevicesQuery {
  /** Format of the file: one JSON object per line, or CSV for spreadsheets. */
  @OneOf(EXPORT_FORMATS, { default: 'ndjson' })
  format!: ExportFormat;
}

/** PUT /api/admin/devices/bulk (API 12.3). */
export class ChangeDevicesRequest {
  @Ids()
  device_ids!: number[];

  /** 1 enabled, 0 disabled. */
  @IntegerOneOf(DEVICE_STATUSES)
  status!: number;
}

/** PUT /api/admin/devices/matching (API 12.3). */
export class ChangeMatchingDevicesRequest {
  /** Only devices with a greater id: the `next_after_id` of the previous response. Default: from the first device. */
  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 })
  after_id!: number;

  /** 1 enabled, 0 disabled. */
  @IntegerOneOf(DEVICE_STATUSES)
  status!: number;
}

/** POST /api/admin/devices (API 12.2). */
export class CreateDeviceRequest {
  /**
   * At most 100 characters.
   * @example "103 室内机"
   */
  @Name({ max: NAME_LENGTH })
  name!: string;

  /**
   * Serial number of the manufacturer; unique among the devices.
   * @example "YG-0101-103"
   */
  @Text({ max: SERIAL_NO_LENGTH, optional: true })
  serial_no?: string;

  /** 1 enabled, 0 disabled. */
  @IntegerOneOf(DEVICE_STATUSES, { default: ENABLED })
  status!: number;

  /**
   * Id of the user that the device signs in as; a user can have only one device.
   * @example 2
   */
  @Id({ optional: true, nullable: true })
  user_id?: number | null;
}

/** PUT /api/admin/devices/{id}: changes only the sent fields (API 12.2). */
export class ChangeDeviceRequest {
  /**
   * At most 100 characters.
   * @example "备用室内机"
   */
  @Name({ max: NAME_LENGTH, optional: true })
  name?: string;

  /**
   * Serial number of the manufacturer; unique among the devices.
   * @example "SPARE-001"
   */
  @Text({ max: SERIAL_NO_LENGTH, optional: true })
  serial_no?: string;

  /** 1 enabled, 0 disabled. */
  @IntegerOneOf(DEVICE_STATUSES, { optional: true })
  status?: number;

  /**
   * Id of the user that the device signs in as; null: unbinds the device.
   * @example 2
   */
  @Id({ optional: true, nullable: true })
  user_id?: number | null;
}
