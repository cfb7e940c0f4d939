import { InputRows, rowParser } from '../../common/bulk/input-rows';
import { countUpserts, type UpsertOutcome, type UpsertResult } from '../../common/bulk/upsert-planner';
import { Id, Ids, IntegerOneOf, QueryId, QueryOneOf, Text } from '../../common/input/fields';
import { Name } from '../../common/input/name-field';
import type { MessageCatalogue } from '../../common/i18n/catalogue';
import { RequestExample } from '../../openapi/request-example.decorator';
import { MAX_DEVICES_PER_REQUEST, NAME_LENGTH, SERIAL_NO_LENGTH, DEVICE_STATUSES } from '../limits';

/** A device to create or change. Fields left out keep their values, or get the defaults of a new device. */
@RequestExample({ serial_no: 'YG-0301-D1', name: '3 号楼门口机', status: 1, group_ids: [1] })
export class UpsertDeviceRequest {
  /** Identifies the device, which is created if there is none; at most 64 characters, unique within the request. */
  @Text({ max: SERIAL_NO_LENGTH })
  serial_no!: string;

  /**
   * At most 100 characters; required for a new device.
   * @example "3 号楼门口机"
   */
  @Name({ max: NAME_LENGTH, optional: true })
  name?: string;

  /** 1 enabled, 0 disabled. */
  @IntegerOneOf(DEVICE_STATUSES, { optional: true })
  status?: number;

  /**
   * Ids of the groups that replace those of the device; an empty list leaves them unchanged.
   * @example [1]
   */
  @Ids({ optional: true })
  group_ids?: number[];

  /**
   * Id of the user that the device signs in as; null: unbinds the device.
   * @example 2
   */
  @Id({ optional: true, nullable: true })
  user_id?: number | null;
}

/** Validates one device of a request or file. */
export const parseDeviceRow = rowParser({
  type: UpsertDeviceRequest,
  arrayField: 'devices',
  keyField: 'serial_no',
  maxKeyLength: SERIAL_NO_LENGTH,
});

/** POST /api/admin/devices/bulk (API 12.5). */
@RequestExample({ devices: [{ serial_no: 'YG-0301-D1', name: '3 号楼门口机', group_ids: [1] }] })
export class UpsertDevicesRequest {
  /**
   * Devices to create or change, at most 500. Each is handled independently: an invalid one does not affect the others.
   */
  @InputRows(UpsertDeviceRequest, MAX_DEVICES_PER_REQUEST)
  devices!: unknown[];
}

/** POST /api/admin/devices/import (API 12.6). */
export class ImportDevicesQuery {
  /** 1: writes nothing and reports what would be done; 0 or left out: imports the file. */
  @QueryOneOf([0, 1])
  dry_run?: number;

  /**
   * Id of a group that every device is added to, besides the groups of its line, or else its current groups.
   * @example 1
   */
  @QueryId()
  group_id?: number;
}

/** Outcome for a device of the input. */
class OutcomeResponse {
  /**
   * Outcome; `unchanged`: the device already had all of the values.
   * @example "error"
   */
  result!: UpsertResult;
  /**
   * Error message for users if `result` is `error`; null otherwise.
   * @example "name 字段不能为空"
   */
  message!: string | null;
}

/** Result for one of the sent devices. */
export class UpsertedDeviceResponse extends OutcomeResponse {
  /**
   * Position in `devices`, from 0.
   * @example 0
   */
  index!: number;
  /** Serial number as sent; null if it is invalid. */
  serial_no!: string | null;
  /**
   * Id of the device; null if it does not exist.
   * @example 3
   */
  id!: number | null;
}

/** Number of devices by result. */
class CountsResponse {
  /**
   * Number of devices created.
   * @example 1
   */
  created!: number;
  /**
   * Number of devices changed.
   * @example 0
   */
  updated!: number;
  /**
   * Number of devices that already had all of the values.
   * @example 0
   */
  unchanged!: number;
  /**
   * Number of devices with an error.
   * @example 0
   */
  failed!: number;
}

/** Results for the sent devices. */
export class UpsertDevicesResponse extends CountsResponse {
  /** One result for each of `devices`, in the same order. */
  items!: UpsertedDeviceResponse[];
}

/** Result for a line of a file. */
export class ImportedLineResponse extends OutcomeResponse {
  /**
   * Number of the physical line at which it starts; the header is line 1.
   * @example 2
   */
  line!: number;
}

/** Results for the lines of a file, or with `dry_run` the expected ones. */
export class ImportDevicesResponse extends CountsResponse {
  /** One result for each line that is not empty, in the same order. */
  lines!: ImportedLineResponse[];
}

export const toUpsertDevicesResponse = (
  upserted: readonly UpsertOutcome[],
  catalogue: MessageCatalogue,
): UpsertDevicesResponse => ({
  items: upserted.map(({ key, id, result, error }, index) => ({
    index,
    serial_no: key,
    id,
    result,
    message: error?.translate(catalogue) ?? null,
  })),
  ...countUpserts(upserted),
});

export const toImportDevicesResponse = (
  imported: readonly (UpsertOutcome & { line: number })[],
  catalogue: MessageCatalogue,
): ImportDevicesResponse => ({
  lines: imported.map(({ line, result, error }) => ({
    line,
    result,
    message: error?.translate(catalogue) ?? null,
  })),
  ...countUpserts(imported),
});
