import { type InputRow, type PlannedUpsert, planUpserts } from '../../common/bulk/upsert-planner';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import type { UpsertDeviceRequest } from '../dto/device-upserts.dto';
import type { DeviceEntity } from '../entities/device.entity';

/*
 * Plans the upserts of devices, identified by serial number, one after the other in the given order (API 12.5).
 * Pure.
 */

/** Input for one device. Undefined fields keep their values; without any group the groups of the device are kept. */
export interface DeviceInput extends UpsertDeviceRequest {
  /** A group to add the device to, besides those in `group_ids`, or else its current groups. */
  joined_group_id?: number;
}

/** An existing device, with the ids of its groups. */
export interface ExistingDevice extends Pick<DeviceEntity, 'id' | 'name' | 'status' | 'user_id' | 'online'> {
  groupIds: ReadonlySet<number>;
}

/** State of the database that the plan depends on. */
export interface CurrentDevices {
  /** Existing devices by serial number. */
  devices: ReadonlyMap<string, ExistingDevice>;
  /** Ids of the groups in the input that exist. */
  groups: ReadonlySet<number>;
  /** Ids of the users in the input that exist. */
  users: ReadonlySet<number>;
  /** Ids of the devices that sign in as these users, by user id. */
  holders: ReadonlyMap<number, number>;
}

/** Planned change for one device of the input. */
export type PlannedDevice = PlannedUpsert<DeviceInput, ExistingDevice>;

/** In `holders`: a device that is being created and has no id yet. */
const NEW = 0;

/**
 * Plans the change for each row, in the given order. A user that is bound to a device at the start cannot be bound to
 * another one, even if an earlier row unbinds it.
 * @param seen serial numbers of earlier parts of the input; those of `rows` are added
 */
export function planDeviceUpserts(
  rows: readonly InputRow<DeviceInput>[],
  { devices, groups, users, ...current }: CurrentDevices,
  seen: Set<string>,
): PlannedDevice[] {
  const holders = new Map(current.holders);
  const validate = (input: DeviceInput, device: ExistingDevice | undefined): BusinessError | undefined => {
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
  const accept = ({ user_id }: DeviceInput, device: ExistingDevice | undefined): void => {
    if (typeof user_id === 'number') holders.set(user_id, device?.id ?? NEW);
  };
  const rules = { keyField: 'serial_no', existing: devices, validate, accept, matches: matchesInput };
  return planUpserts(rows, rules, seen);
}

/**
 * Applies planned changes to whether users are bound to a device.
 * @param bound user id → whether earlier parts of the input bind the user; is changed
 */
export function addBindings(bound: Map<number, boolean>, steps: readonly PlannedDevice[]): void {
  const accepted = steps.flatMap((step) => (step.result === 'error' ? [] : [step]));
  for (const step of accepted) {
    const former = step.result === 'created' ? null : step.existing.user_id;
    if (former !== null && step.input.user_id !== undefined) bound.set(former, false);
  }
  for (const { input } of accepted) if (typeof input.user_id === 'number') bound.set(input.user_id, true);
}

/** Returns the holders with the bindings of earlier parts of the input. No device of those parts occurs again. */
export function holdersAfter(
  holders: ReadonlyMap<number, number>,
  bound: ReadonlyMap<number, boolean>,
): Map<number, number> {
  const after = new Map(holders);
  for (const [user, isBound] of bound)
    if (isBound) after.set(user, NEW);
    else after.delete(user);
  return after;
}

/** Whether the fields of a device, apart from its groups, already have the values of the input. */
export const matchesFields = (device: ExistingDevice, { name, status, user_id }: DeviceInput): boolean =>
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
  input: DeviceInput,
): { joined: number[]; left: number[] } {
  const named = groupsNamedBy(input);
  const isReplaced = input.group_ids !== undefined && input.group_ids.length > 0;
  return {
    joined: named.filter((id) => !groupIds.has(id)),
    left: isReplaced ? [...groupIds].filter((id) => !named.includes(id)) : [],
  };
}

function matchesInput(device: ExistingDevice, input: DeviceInput): boolean {
  const { joined, left } = groupChanges(device.groupIds, input);
  return matchesFields(device, input) && joined.length + left.length === 0;
}
