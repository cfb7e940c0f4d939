import type { EntityManager } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import { forcePrimaryKey, lockingEnd, lockingUnion, placeholders } from '../../database/sql/dialect';
import { deleteRows, insertRows, lockRows } from '../../database/sql/statements';
import { DeviceGroupTreeEntity, THE_MEMBERSHIPS } from '../entities/device-group-tree.entity';
import { DeviceGroupEntity } from '../entities/device-group.entity';
import { DeviceMembershipEntity } from '../entities/device-membership.entity';

/*
 * Memberships of devices in groups, within a transaction. Locks are taken in the order tree, group, devices. They keep
 * groups and devices from being deleted while a device is added to a group; the order prevents deadlocks.
 */

/**
 * Locks a group: until the commit it is not deleted and no device is added to it.
 * @throws {BusinessError} DEVICE_GROUP_NOT_FOUND
 */
export async function lockGroup(em: EntityManager, id: number): Promise<void> {
  const rows = await lockRows(em, DeviceGroupEntity, { id });
  if (rows.length === 0) throw new BusinessError('DEVICE_GROUP_NOT_FOUND');
}

/**
 * Locks groups as `lockGroup` does, by ascending id, so that two transactions that lock several do not deadlock.
 * @returns the ids of those that exist
 */
export async function lockGroups(em: EntityManager, ids: readonly number[]): Promise<Set<number>> {
  const groups = await em.query<{ id: number }[]>(
    `SELECT id FROM device_groups ${forcePrimaryKey(em)} WHERE id IN (${placeholders(ids)})
     ORDER BY id ${lockingEnd(em)}`,
    [...ids],
  );
  return new Set(groups.map(({ id }) => id));
}

/**
 * Locks a group and devices, and adds the devices to the group. Those already in it are skipped.
 * @returns the ids of the added devices
 * @throws {BusinessError} DEVICE_GROUP_NOT_FOUND; VALIDATION `设备不存在: 7, 9`; nothing has been written then
 *   (API 11.6)
 */
export async function addDevices(em: EntityManager, groupId: number, deviceIds: number[]): Promise<number[]> {
  if (deviceIds.length === 0) return [];
  const rows = await em.query<{ kind: 'group' | 'device'; id: number }[]>(
    lockingUnion(em, [
      "SELECT 'group' AS kind, id FROM device_groups WHERE id = ?",
      `SELECT 'device' AS kind, id FROM devices WHERE id IN (${placeholders(deviceIds)})`,
    ]),
    [groupId, ...deviceIds],
  );
  if (!rows.some(({ kind }) => kind === 'group')) throw new BusinessError('DEVICE_GROUP_NOT_FOUND');
  const existingIds = new Set(rows.filter(({ kind }) => kind === 'device').map(({ id }) => id));
  requireAll(deviceIds, existingIds);
  return putInto(em, groupId, deviceIds);
}

/** Adds locked devices to a locked group. Returns the ids of those that were not in it. */
export async function putInto(em: EntityManager, groupId: number, deviceIds: number[]): Promise<number[]> {
  const memberIds = new Set(await lockMembers(em, groupId, deviceIds));
  const added = deviceIds.filter((id) => !memberIds.has(id));
  const memberships = added.map((device_id) => ({ group_id: groupId, device_id }));
  if (memberships.length > 0) await insertRows(em, DeviceMembershipEntity, memberships);
  return added;
}

/** Removes devices from a group. Returns the ids of those that were in it. */
export async function removeDevices(
  em: EntityManager,
  groupId: number,
  deviceIds: number[],
): Promise<number[]> {
  const memberIds = await lockMembers(em, groupId, deviceIds);
  if (memberIds.length > 0)
    await deleteRows(em, DeviceMembershipEntity, { group_id: groupId, device_id: memberIds });
  return memberIds;
}

/** Removes locked devices from all groups. Returns the number of memberships that this ended. */
export const removeFromGroups = (em: EntityManager, deviceIds: readonly number[]): Promise<number> =>
  deleteRows(em, DeviceMembershipEntity, { device_id: deviceIds });

/** Locks the memberships of devices in a group. Returns the ids of those that are in it, ascending. */
async function lockMembers(em: EntityManager, groupId: number, deviceIds: number[]): Promise<number[]> {
  const rows = await em.query<{ device_id: number | string }[]>(
    `SELECT device_id FROM device_memberships ${forcePrimaryKey(em)}
     WHERE group_id = ? AND device_id IN (${placeholders(deviceIds)}) ORDER BY device_id${lockingEnd(em)}`,
    [groupId, ...deviceIds],
  );
  return rows.map(({ device_id }) => Number(device_id));
}

/**
 * Raises the version of the memberships after devices were added to groups or removed from them, which invalidates
 * cached device counts. Must be the last statement, so that the lock of the row is short. Only for transactions that
 * have not raised the version of the tree.
 */
export async function bumpMembershipVersion(em: EntityManager): Promise<void> {
  await em.increment(DeviceGroupTreeEntity, { id: THE_MEMBERSHIPS }, 'version', 1);
}

/** @throws {BusinessError} VALIDATION `设备不存在: 7, 9` when some of the devices are not in `existingIds` */
export function requireAll(deviceIds: number[], existingIds: ReadonlySet<number>): void {
  const unknown = deviceIds.filter((id) => !existingIds.has(id));
  if (unknown.length > 0)
    throw new BusinessError('VALIDATION', { message: (catalogue) => catalogue.unknownDevices(unknown) });
}
