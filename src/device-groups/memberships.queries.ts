import type { EntityManager } from 'typeorm';
import { BusinessError } from '../common/errors/business-error';
import { byPrimaryKey, lockingEnd, lockingRows, lockingUnion, placeholders } from '../database/dialect';
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

/** Those of some devices that are in a group, which is held; held themselves, so that they stay in it until the commit. */
export async function heldMembers(
  em: EntityManager,
  groupId: number,
  deviceIds: readonly number[],
): Promise<Set<number>> {
  const among = placeholders(deviceIds);
  // The devices first: whoever deletes one holds it, and takes it out of its groups afterwards.
  await em.query(
    `SELECT id FROM devices ${byPrimaryKey(em)} WHERE id IN (${among}) ORDER BY id ${lockingEnd(em)}`,
    [...deviceIds],
  );
  const members = await em.query<{ device_id: number }[]>(
    `SELECT device_id FROM device_memberships ${byPrimaryKey(em)}
     WHERE group_id = ? AND device_id IN (${among}) ORDER BY device_id ${lockingEnd(em)}`,
    [groupId, ...deviceIds],
  );
  return new Set(members.map(({ device_id }) => device_id));
}

/**
 * Puts devices into a group; those already in it are left. The group and the devices are held.
 * @throws {BusinessError} DEVICE_GROUP_NOT_FOUND; VALIDATION `设备不存在: 7, 9`; then nothing has been written (contract 4)
 */
export async function addDevices(em: EntityManager, groupId: number, deviceIds: number[]): Promise<void> {
  if (deviceIds.length === 0) return;
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
  await putInto(em, groupId, deviceIds);
}

/** Puts devices, at least one, into a group; those already in it are left. The group and the devices are held already. */
export async function putInto(
  em: EntityManager,
  groupId: number,
  deviceIds: readonly number[],
): Promise<void> {
  await em
    .createQueryBuilder()
    .insert()
    .into(DeviceMembershipEntity)
    .values(deviceIds.map((device_id) => ({ group_id: groupId, device_id })))
    .orIgnore()
    .updateEntity(false)
    .execute();
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
