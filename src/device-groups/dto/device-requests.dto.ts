import { EXPORT_FORMATS, type ExportFormat } from '../../common/export/row-export';
import {
  Id,
  Ids,
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
import { ENABLED, NAME_LENGTH, SERIAL_NO_LENGTH, STATUSES } from '../limits';

/** Which devices are wanted (contracts 4 and 14.4). */
export class SearchDevicesQuery {
  /**
   * Part of the name or of the serial number, without regard to case; at most 100 characters.
   * @example "YG-01"
   */
  @Text({ max: NAME_LENGTH, optional: true })
  keyword?: string;

  /** 1 enabled, 0 disabled. */
  @QueryOneOf(STATUSES)
  status?: number;

  /**
   * Only the devices directly in this group.
   * @example 1
   */
  @QueryId()
  group_id?: number;

  /** 1: only the devices in no group; 0, or left out: all. */
  @QueryOneOf([0, 1])
  ungrouped?: number;

  /** 1: only the devices that are online; 0: only the others. */
  @QueryOneOf([0, 1])
  online?: number;

  /** Only the devices created then or later: a moment, or a day of `APP_TIMEZONE`. */
  @MomentOrDay()
  from?: string;

  /** Only the devices created before this moment, or up to the end of this day. */
  @MomentOrDay()
  to?: string;
}

/** GET /api/admin/devices (contract 4). */
export class ListDevicesQuery extends SearchDevicesQuery implements PageRequest {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;

  /** By which field, downwards with `-` before it; by id when left out. */
  @SortBy(['id', 'serial_no', 'status', 'created_at'])
  sort?: string;
}

/** GET /api/admin/devices/export (contract 14.4). */
export class ExportDevicesQuery extends SearchDevicesQuery {
  /** What a line is: JSON, or CSV for spreadsheets. */
  @OneOf(EXPORT_FORMATS, { default: 'ndjson' })
  format!: ExportFormat;
}

/** PUT /api/admin/devices/bulk (contract 18.5). */
export class ChangeDevicesRequest {
  @Ids()
  device_ids!: number[];

  /** 1 enabled, 0 disabled. */
  @IntegerOneOf(STATUSES)
  status!: number;
}

/** POST /api/admin/devices (contract 4). */
export class CreateDeviceRequest {
  /**
   * At most 100 characters.
   * @example "103 室内机"
   */
  @Name({ max: NAME_LENGTH })
  name!: string;

  /**
   * The maker's number; no two devices share one.
   * @example "YG-0101-103"
   */
  @Text({ max: SERIAL_NO_LENGTH, optional: true })
  serial_no?: string;

  /** 1 enabled, 0 disabled. */
  @IntegerOneOf(STATUSES, { default: ENABLED })
  status!: number;

  /**
   * The user as whom it signs in; no two devices share one.
   * @example 2
   */
  @Id({ optional: true, nullable: true })
  user_id?: number | null;
}

/** PUT /api/admin/devices/{id}: only what is sent changes (contract 4). */
export class ChangeDeviceRequest {
  /**
   * At most 100 characters.
   * @example "备用室内机"
   */
  @Name({ max: NAME_LENGTH, optional: true })
  name?: string;

  /**
   * The maker's number; no two devices share one.
   * @example "SPARE-001"
   */
  @Text({ max: SERIAL_NO_LENGTH, optional: true })
  serial_no?: string;

  /** 1 enabled, 0 disabled. */
  @IntegerOneOf(STATUSES, { optional: true })
  status?: number;

  /**
   * The user as whom it signs in; null: none any more.
   * @example 2
   */
  @Id({ optional: true, nullable: true })
  user_id?: number | null;
}
