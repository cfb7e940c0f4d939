import { IntegerOneOf, PageNumber, PerPage, QueryId, QueryOneOf, Text } from '../../common/input/fields';
import type { PageRequest } from '../../common/http/page';
import { ENABLED, NAME_LENGTH, SERIAL_NO_LENGTH, STATUSES } from '../limits';

/** GET /api/admin/devices (contract 4). */
export class ListDevicesQuery implements PageRequest {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;

  /** Part of the name or of the serial number, without regard to case. */
  @Text({ max: NAME_LENGTH, optional: true })
  keyword?: string;

  /** 1 enabled, 0 disabled. */
  @QueryOneOf(STATUSES)
  status?: number;

  /** Only the devices directly in this group. */
  @QueryId()
  group_id?: number;

  /** 1: only the devices in no group. */
  @QueryOneOf([0, 1])
  ungrouped?: number;
}

/** POST /api/admin/devices (contract 4). */
export class CreateDeviceRequest {
  @Text({ max: NAME_LENGTH })
  name!: string;

  /** No two devices share one. */
  @Text({ max: SERIAL_NO_LENGTH, optional: true })
  serial_no?: string;

  /** 1 enabled, 0 disabled. */
  @IntegerOneOf(STATUSES, { default: ENABLED })
  status!: number;
}

/** PUT /api/admin/devices/{id}: only what is sent changes (contract 4). */
export class ChangeDeviceRequest {
  @Text({ max: NAME_LENGTH, optional: true, filled: true })
  name?: string;

  /** No two devices share one. */
  @Text({ max: SERIAL_NO_LENGTH, optional: true })
  serial_no?: string;

  /** 1 enabled, 0 disabled. */
  @IntegerOneOf(STATUSES, { optional: true })
  status?: number;
}
