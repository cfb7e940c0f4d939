import type { EntityManager } from 'typeorm';
import { BusinessError } from '../common/errors/business-error';
import { byPrimaryKey, lockingEnd, lockingRows, lockingUnion, placeholders } from '../database/dialect';
import { deleteRows, insertRows } from '../database/rows';
import { DeviceGroupTreeEntity, THE_MEMBERSHIPS } from './entities/device-group-tree.entity';
import { DeviceGroupEntity } from './entities/device-group.entity';
import { DeviceMembershipEntity } from './entities/device-membership.entity';

/*
 * Which device is in which group, within a transaction. Locks are taken in one order, tree, group, devices, so that a
 * group or a device does not vanish while a device is put into it, and nobody waits in a circle.
 */

/**
 * Holds a group, so that until the commit it is not deleted and no device is put into it.
 * @throws {BusinessError} DEVICE_GROUP_NOT_FOUND
 */
export async function holdGroup(em: EntityManager, id: number): Promise<void> {
  const query = em
    .createQueryBuilder(DeviceGroupEntity, 'g')
    .select('g.id', 'id')
    .where('g.id = :id', { id });
  if ((await lockingRows(query).getRawOne()) === undefined) throw new BusinessError('DEVICE_GROUP_NOT_FOUND');
}

/** Those of some groups that there are, held as one is: the lowest first, so that two who hold several do not cross. */
export async function holdGroups(em: EntityManager, ids: readonly number[]): Promise<Set<number>> {
  const groups = await em.query<{ id: number }[]>(
    `SELECT id FROM device_groups ${byPrimaryKey(em)} WHERE id IN (${placeholders(ids)})
     ORDER BY id ${lockingEnd(em)}`,
    [...ids],
  );
  return new Set(groups.map(({ id }) => id));
}

/** Holds those of some devices that there are, so that until the commit nobody deletes them. */
export async function holdDevices(em: EntityManager, ids: readonly number[]): Promise<void> {
  await em.query(
    `SELECT id FROM devices ${byPrimaryKey(em)} WHERE id IN (${placeholders(ids)})
     ORDER BY id ${lockingEnd(em)}`,
    [...ids],
  );
}

/**
 * Puts devices into a group; those already in it are left. The group and the devices are held.
 * @returns those that were not in it
 * @throws {BusinessError} DEVICE_GROUP_NOT_FOUND; VALIDATION `设备不存在: 7, 9`; then nothing has been written (contract 4)
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
  const known = new Set(rows.filter(({ kind }) => kind === 'device').map(({ id }) => id));
  requireAll(deviceIds, known);
  return putInto(em, groupId, deviceIds);
}

/** Puts devices into a group, which are held already; answers those that were not in it. */
export async function putInto(em: EntityManager, groupId: number, deviceIds: number[]): Promise<number[]> {
  const inside = new Set(await devicesIn(em, groupId, deviceIds));
  const added = deviceIds.filter((id) => !inside.has(id));
  const memberships = added.map((device_id) => ({ group_id: groupId, device_id }));
  if (memberships.length > 0) await insertRows(em, DeviceMembershipEntity, memberships);
  return added;
}

/** Takes devices out of a group; answers those that were in it. */
export async function removeDevices(
  em: EntityManager,
  groupId: number,
  deviceIds: number[],
): Promise<number[]> {
  const inside = await devicesIn(em, groupId, deviceIds);
  if (inside.length > 0)
    await deleteRows(em, DeviceMembershipEntity, { group_id: groupId, device_id: inside });
  return inside;
}

/** Those of some devices that are in a group, by id; their memberships are held. */
async function devicesIn(em: EntityManager, groupId: number, deviceIds: number[]): Promise<number[]> {
  const rows = await em.query<{ device_id: number | string }[]>(
    `SELECT device_id FROM device_memberships WHERE group_id = ? AND device_id IN (${placeholders(deviceIds)})
     ORDER BY device_id${lockingEnd(em)}`,
    [groupId, ...deviceIds],
  );
  return rows.map(({ device_id }) => Number(device_id));
}

/**
 * Devices have been put into groups, or taken out of them: whoever counts them looks again. Comes last, and is for
 * transactions that have not raised the version of the tree.
 */
export async function raiseMemberships(em: EntityManager): Promise<void> {
  await em.increment(DeviceGroupTreeEntity, { id: THE_MEMBERSHIPS }, 'version', 1);
}

/** @throws {BusinessError} VALIDATION `设备不存在: 7, 9` when some of the devices named are not among the known ones */
export function requireAll(deviceIds: number[], known: ReadonlySet<number>): void {
  const unknown = deviceIds.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new BusinessError('VALIDATION', { message: (words) => words.unknownDevices(unknown) });
}
