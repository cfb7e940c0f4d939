import { BusinessError, invalidField } from '../../common/errors/business-error';

/*
 * Plans the upserts of devices, identified by serial number, one after the other in the given order (contract 14.4).
 * Pure.
 */

export type DeviceUpsertResult = 'created' | 'updated' | 'unchanged' | 'error';

/** Status of an enabled device. */
const ENABLED = 1;

/** Input for one device. Undefined fields keep their values; without any group the groups of the device are kept. */
export interface DeviceInput {
  serial_no: string;
  name?: string;
  status?: number;
  group_ids?: number[];
  /** A group to add the device to, besides those in `group_ids`, or else its current groups. */
  joined_group_id?: number;
  user_id?: number | null;
}

/** One device of the input, or the error that makes it invalid. `serialNo` is null if it is invalid itself. */
export type DeviceInputRow =
  { serialNo: string; told: DeviceInput } | { serialNo: string | null; refusal: BusinessError };

/** An existing device. */
export interface KnownDevice {
  id: number;
  name: string;
  status: number;
  user_id: number | null;
  groupIds: ReadonlySet<number>;
}

/** State of the database that the plan depends on. */
export interface CurrentDevices<Device extends KnownDevice> {
  /** Existing devices by serial number. */
  devices: ReadonlyMap<string, Device>;
  /** Ids of the groups in the input that exist. */
  groups: ReadonlySet<number>;
  /** Ids of the users in the input that exist. */
  users: ReadonlySet<number>;
  /** Ids of the devices that sign in as these users, by user id. */
  holders: ReadonlyMap<number, number>;
}

/** Planned change for one device of the input. */
export type PlannedDevice<Device extends KnownDevice> =
  | { result: 'created'; serialNo: string; told: DeviceInput & { name: string; status: number } }
  | { result: 'updated' | 'unchanged'; serialNo: string; device: Device; told: DeviceInput }
  | { result: 'error'; serialNo: string | null; device?: Device; refusal: BusinessError };

/** Result for one device of the input. */
export interface DeviceUpsertOutcome {
  serialNo: string | null;
  id: number | null;
  result: DeviceUpsertResult;
  refusal?: BusinessError;
}

/** In `holders`: a device that is being created and has no id yet. */
const NEW = 0;

/**
 * Plans the change for each line, in the given order. A user that is bound to a device at the start cannot be bound to
 * another one, even if an earlier line unbinds it.
 * @param seen serial numbers of earlier parts of the input; those of `lines` are added
 */
export function planDeviceUpserts<Device extends KnownDevice>(
  lines: readonly DeviceInputRow[],
  { devices, groups, users, ...current }: CurrentDevices<Device>,
  seen: Set<string>,
): PlannedDevice<Device>[] {
  const holders = new Map(current.holders);

  const findError = (input: DeviceInput, device: Device | undefined): BusinessError | undefined => {
    const { name, user_id } = input;
    if (device === undefined && name === undefined) return invalidField('name', 'required');
    const unknown = groupsNamedBy(input).filter((id) => !groups.has(id));
    if (unknown.length > 0)
      return new BusinessError('VALIDATION', { message: (catalogue) => catalogue.unknownGroups(unknown) });
    if (typeof user_id !== 'number') return undefined;
    if (!users.has(user_id))
      return new BusinessError('VALIDATION', { message: (catalogue) => catalogue.unknownUsers([user_id]) });
    const holder = holders.get(user_id);
    const isTaken = holder !== undefined && (device === undefined || holder !== device.id);
    return isTaken ? new BusinessError('USER_HAS_DEVICE') : undefined;
  };

  return lines.map((line): PlannedDevice<Device> => {
    const { serialNo } = line;
    const isRepeated = serialNo !== null && seen.has(serialNo);
    if (serialNo !== null) seen.add(serialNo);
    if ('refusal' in line) return { result: 'error', serialNo, refusal: line.refusal };
    const { told } = line;
    const device = devices.get(line.serialNo);
    const refusal = isRepeated ? invalidField('serial_no', 'invalid') : findError(told, device);
    if (refusal !== undefined) return { result: 'error', serialNo, device, refusal };
    if (typeof told.user_id === 'number') holders.set(told.user_id, device?.id ?? NEW);
    if (device === undefined) {
      const { name = '', status = ENABLED } = told;
      return { result: 'created', serialNo: line.serialNo, told: { ...told, name, status } };
    }
    const result = matchesInput(device, told) ? 'unchanged' : 'updated';
    return { result, serialNo: line.serialNo, device, told };
  });
}

/** Whether the fields of a device, apart from its groups, already have the values of the input. */
export const matchesFields = (device: KnownDevice, { name, status, user_id }: DeviceInput): boolean =>
  (name === undefined || name === device.name) &&
  (status === undefined || status === device.status) &&
  (user_id === undefined || user_id === device.user_id);

/** Returns the ids of all groups in the input for a device, without duplicates. */
export function groupsNamedBy({ group_ids = [], joined_group_id }: DeviceInput): number[] {
  return [...new Set(joined_group_id === undefined ? group_ids : [...group_ids, joined_group_id])];
}

/** Returns the groups that a device joins and leaves. It leaves none if `group_ids` is undefined or empty. */
export function groupChanges(
  groupIds: ReadonlySet<number>,
  told: DeviceInput,
): { joined: number[]; left: number[] } {
  const named = groupsNamedBy(told);
  const isReplaced = told.group_ids !== undefined && told.group_ids.length > 0;
  return {
    joined: named.filter((id) => !groupIds.has(id)),
    left: isReplaced ? [...groupIds].filter((id) => !named.includes(id)) : [],
  };
}

function matchesInput(device: KnownDevice, told: DeviceInput): boolean {
  const { joined, left } = groupChanges(device.groupIds, told);
  return matchesFields(device, told) && joined.length + left.length === 0;
}
