import { BusinessError, invalidField } from '../../common/errors/business-error';

/* What becomes of devices that are told of by their serial numbers: one after the other, in their order (contract 14.4). Pure. */

export type UpsertResult = 'created' | 'updated' | 'unchanged' | 'error';

/** 1 is enabled. */
const ENABLED = 1;

/** What is told of a device; undefined stays as it is, and so do its groups where none is named. */
export interface ToldDevice {
  serial_no: string;
  name?: string;
  status?: number;
  group_ids?: number[];
  /** A group that it is put into beside those that are named, or that it is in. */
  joined_group_id?: number;
  user_id?: number | null;
}

/** One of the devices told of, as far as it could be read. */
export type Line =
  { serialNo: string; told: ToldDevice } | { serialNo: string | null; refusal: BusinessError };

/** A device that is known by its serial number. */
export interface KnownDevice {
  id: number;
  name: string;
  status: number;
  user_id: number | null;
  groupIds: ReadonlySet<number>;
}

/** What the database says of what is told. */
export interface Standing<Device extends KnownDevice> {
  /** By serial number. */
  devices: ReadonlyMap<string, Device>;
  /** Those of the groups named that there are. */
  groups: ReadonlySet<number>;
  /** Those of the users named that there are. */
  users: ReadonlySet<number>;
  /** The devices that these users sign in as. */
  holders: ReadonlyMap<number, number>;
}

/** What is to be done about one of the devices told of. */
export type Step<Device extends KnownDevice> =
  | { result: 'created'; serialNo: string; told: ToldDevice & { name: string; status: number } }
  | { result: 'updated' | 'unchanged'; serialNo: string; device: Device; told: ToldDevice }
  | { result: 'error'; serialNo: string | null; device?: Device; refusal: BusinessError };

/** What was done about one of the devices told of. */
export interface Upserted {
  serialNo: string | null;
  id: number | null;
  result: UpsertResult;
  refusal?: BusinessError;
}

/** Of no device that has an id yet. */
const NEW = 0;

/**
 * What is to be done about each of some devices, in their order. A user whom some device signs in as when it begins is free
 * for no other, also where that one gives it up.
 * @param seen the serial numbers that were told of before; those told of now are added
 */
export function planUpserts<Device extends KnownDevice>(
  lines: readonly Line[],
  { devices, groups, users, ...standing }: Standing<Device>,
  seen: Set<string>,
): Step<Device>[] {
  const holders = new Map(standing.holders);

  const refusalOf = (told: ToldDevice, device: Device | undefined): BusinessError | undefined => {
    const { name, user_id } = told;
    if (device === undefined && name === undefined) return invalidField('name', '字段不能为空');
    const unknown = groupsNamedBy(told).filter((id) => !groups.has(id));
    if (unknown.length > 0)
      return new BusinessError('VALIDATION', { message: (words) => words.unknownGroups(unknown) });
    if (typeof user_id !== 'number') return undefined;
    if (!users.has(user_id))
      return new BusinessError('VALIDATION', { message: (words) => words.unknownUsers([user_id]) });
    const holder = holders.get(user_id);
    const isTaken = holder !== undefined && (device === undefined || holder !== device.id);
    return isTaken ? new BusinessError('USER_HAS_DEVICE') : undefined;
  };

  return lines.map((line): Step<Device> => {
    const { serialNo } = line;
    const isRepeated = serialNo !== null && seen.has(serialNo);
    if (serialNo !== null) seen.add(serialNo);
    if ('refusal' in line) return { result: 'error', serialNo, refusal: line.refusal };
    const { told } = line;
    const device = devices.get(line.serialNo);
    const refusal = isRepeated ? invalidField('serial_no', '取值无效') : refusalOf(told, device);
    if (refusal !== undefined) return { result: 'error', serialNo, device, refusal };
    if (typeof told.user_id === 'number') holders.set(told.user_id, device?.id ?? NEW);
    if (device === undefined) {
      const { name = '', status = ENABLED } = told;
      return { result: 'created', serialNo: line.serialNo, told: { ...told, name, status } };
    }
    const result = isAsTold(device, told) ? 'unchanged' : 'updated';
    return { result, serialNo: line.serialNo, device, told };
  });
}

/** Whether a device's own fields, apart from its groups, are as it is told. */
export const hasFieldsAsTold = (device: KnownDevice, { name, status, user_id }: ToldDevice): boolean =>
  (name === undefined || name === device.name) &&
  (status === undefined || status === device.status) &&
  (user_id === undefined || user_id === device.user_id);

/** The groups that are named with a device, each once. */
export function groupsNamedBy({ group_ids = [], joined_group_id }: ToldDevice): number[] {
  return [...new Set(joined_group_id === undefined ? group_ids : [...group_ids, joined_group_id])];
}

/** Into which groups a device goes, and which it leaves; it leaves none where the groups it shall be in are not told. */
export function groupChanges(
  groupIds: ReadonlySet<number>,
  told: ToldDevice,
): { joined: number[]; left: number[] } {
  const named = groupsNamedBy(told);
  const isTold = told.group_ids !== undefined && told.group_ids.length > 0;
  return {
    joined: named.filter((id) => !groupIds.has(id)),
    left: isTold ? [...groupIds].filter((id) => !named.includes(id)) : [],
  };
}

function isAsTold(device: KnownDevice, told: ToldDevice): boolean {
  const { joined, left } = groupChanges(device.groupIds, told);
  return hasFieldsAsTold(device, told) && joined.length + left.length === 0;
}
