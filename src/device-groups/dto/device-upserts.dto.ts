import {
  EMPTY,
  field,
  Id,
  Ids,
  IntegerOneOf,
  NOT_AN_ARRAY,
  nullAsOmitted,
  QueryId,
  QueryOneOf,
  Text,
} from '../../common/input/fields';
import { Name } from '../../common/input/name-field';
import type { Words } from '../../common/words/words';
import { RequestExample } from '../../openapi/request-example.decorator';
import { DEVICES_AT_ONCE, NAME_LENGTH, SERIAL_NO_LENGTH, STATUSES } from '../limits';
import type { Upserted, UpsertResult } from '../rules/device-upsert-plan';

/** One of the devices that a back end or a file tells of. What is left out stays as it is, or is the usual of a new one. */
@RequestExample({ serial_no: 'YG-0301-D1', name: '3 号楼门口机', status: 1, group_ids: [1] })
export class UpsertDeviceRequest {
  /** By which the device is known, or made; at most 64 characters, and no other of this request's. */
  @Text({ max: SERIAL_NO_LENGTH })
  serial_no!: string;

  /**
   * At most 100 characters; a new device must have one.
   * @example "3 号楼门口机"
   */
  @Name({ max: NAME_LENGTH, optional: true })
  name?: string;

  /** 1 enabled, 0 disabled. */
  @IntegerOneOf(STATUSES, { optional: true })
  status?: number;

  /**
   * The groups it is in from now on, and no others; an empty list leaves them as they are.
   * @example [1]
   */
  @Ids({ optional: true })
  group_ids?: number[];

  /**
   * The user as whom it signs in; null: none any more.
   * @example 2
   */
  @Id({ optional: true, nullable: true })
  user_id?: number | null;
}

/** An array whose elements are looked at one by one, and fail alone. */
const Devices = (): PropertyDecorator =>
  field({
    read: nullAsOmitted,
    check: (value) => {
      if (!Array.isArray(value)) return NOT_AN_ARRAY;
      if (value.length === 0) return EMPTY;
      return value.length > DEVICES_AT_ONCE ? (words) => words.tooMany(DEVICES_AT_ONCE) : undefined;
    },
    schema: { type: [UpsertDeviceRequest], maxItems: DEVICES_AT_ONCE },
  });

/** POST /api/admin/devices/bulk (contract 14.4). */
@RequestExample({ devices: [{ serial_no: 'YG-0301-D1', name: '3 号楼门口机', group_ids: [1] }] })
export class UpsertDevicesRequest {
  /** What to make or change, at most 500. Each stands alone: what is wrong with one keeps no other from being done. */
  @Devices()
  devices!: unknown[];
}

/** POST /api/admin/devices/import (contract 14.4). */
export class ImportDevicesQuery {
  /** 1: nothing is written, and the report says what would be; 0, or left out: it is done. */
  @QueryOneOf([0, 1])
  dry_run?: number;

  /**
   * A group that each line’s device is put into, beside those that the line names, or else those that the device is in.
   * @example 1
   */
  @QueryId()
  group_id?: number;
}

/** What has become of one of the devices told of. */
export class UpsertedDeviceResponse {
  /**
   * Where in `devices` it stands, from 0.
   * @example 0
   */
  index!: number;
  /** As it was sent; null where it could not be one. */
  serial_no!: string | null;
  /**
   * The device's id; null where there is none.
   * @example 3
   */
  id!: number | null;
  /**
   * `unchanged`: all of it was so already.
   * @example "error"
   */
  result!: UpsertResult;
  /**
   * Of an `error`, what is wrong, for people; null otherwise.
   * @example "name 字段不能为空"
   */
  message!: string | null;
}

/** How many of some devices were made, changed, left or refused. */
class CountsResponse {
  /**
   * How many were made.
   * @example 1
   */
  created!: number;
  /**
   * How many were changed.
   * @example 0
   */
  updated!: number;
  /**
   * How many were so already.
   * @example 0
   */
  unchanged!: number;
  /**
   * How many failed.
   * @example 0
   */
  failed!: number;
}

/** What has become of the devices told of. */
export class UpsertDevicesResponse extends CountsResponse {
  /** One for each of `devices`, in their order. */
  items!: UpsertedDeviceResponse[];
}

/** What has become of a line of a file. */
export class ImportedLineResponse {
  /**
   * Where in the file it begins; the header is line 1.
   * @example 2
   */
  line!: number;
  /**
   * `unchanged`: all of it was so already.
   * @example "error"
   */
  result!: UpsertResult;
  /**
   * Of an `error`, what is wrong, for people; null otherwise.
   * @example "name 字段不能为空"
   */
  message!: string | null;
}

/** What has become of the lines of a file, or would. */
export class ImportDevicesResponse extends CountsResponse {
  /** One for each line that is not empty, in their order. */
  lines!: ImportedLineResponse[];
}

type UpsertCounts = Record<'created' | 'updated' | 'unchanged' | 'failed', number>;

/** How many of each result there are. */
export function countsOf(upserted: readonly Pick<Upserted, 'result'>[]): UpsertCounts {
  const counts = { created: 0, updated: 0, unchanged: 0, error: 0 };
  for (const { result } of upserted) counts[result] += 1;
  const { error: failed, ...others } = counts;
  return { ...others, failed };
}

export const toUpsertDevicesResponse = (
  upserted: readonly Upserted[],
  words: Words,
): UpsertDevicesResponse => ({
  items: upserted.map(({ serialNo, id, result, refusal }, index) => ({
    index,
    serial_no: serialNo,
    id,
    result,
    message: refusal?.textIn(words) ?? null,
  })),
  ...countsOf(upserted),
});

export const toImportDevicesResponse = (
  imported: readonly (Upserted & { line: number })[],
  words: Words,
): ImportDevicesResponse => ({
  lines: imported.map(({ line, result, refusal }) => ({
    line,
    result,
    message: refusal?.textIn(words) ?? null,
  })),
  ...countsOf(imported),
});
