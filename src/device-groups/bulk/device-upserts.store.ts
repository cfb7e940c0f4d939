import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { placeholders, tupleListOfChange } from '../../database/sql/dialect';
import { findRows, insertRows, lockRows, updateEach } from '../../database/sql/statements';
import { DeviceMembershipEntity } from '../entities/device-membership.entity';
import { DeviceEntity } from '../entities/device.entity';
import { lockGroups } from '../store/memberships.store';
import type { NamedGroup } from '../rules/group-names.rules';
import {
  groupsNamedBy,
  type CurrentDevices,
  type ExistingDevice,
  type DeviceInput,
} from '../rules/device-upsert-plan.rules';

/** Rows per UPDATE. Its CASE expressions are searched linearly for every row, so the cost is quadratic. */
const UPDATE_BATCH_SIZE = 100;

/**
 * Loads the existing devices and groups that the input refers to, and the devices of its users.
 * @param holds whether to lock the groups and then the devices until the commit, each by ascending id; without locks
 *   the result may be outdated immediately
 */
export async function loadCurrentDevices(
  em: EntityManager,
  inputs: readonly DeviceInput[],
  userIds: number[],
  { holds }: { holds: boolean },
): Promise<Omit<CurrentDevices, 'users'>> {
  const groups = await findGroups(em, [...new Set(inputs.flatMap(groupsNamedBy))], holds);
  const serials = inputs.map(({ serial_no }) => serial_no);
  return {
    groups,
    devices: await findDevices(em, serials, holds),
    holders: await findHolders(em, userIds),
  };
}

/** Returns the ids of the groups that exist. Reads in chunks, because the lines of a batch may name many groups. */
async function findGroups(em: EntityManager, ids: number[], holds: boolean): Promise<Set<number>> {
  const found = new Set<number>();
  for (const chunk of inChunks(ids.toSorted((a, b) => a - b)))
    for (const id of holds ? await lockGroups(em, chunk) : await findGroupIds(em, chunk)) found.add(id);
  return found;
}

async function findGroupIds(em: EntityManager, ids: number[]): Promise<number[]> {
  const sql = `SELECT id FROM device_groups WHERE id IN (${placeholders(ids)})`;
  return (await em.query<{ id: number }[]>(sql, ids)).map(({ id }) => id);
}

/** Returns the names and parents of all groups. */
export const allGroupNames = (em: EntityManager): Promise<NamedGroup[]> =>
  em.query<NamedGroup[]>('SELECT id, parent_id, name FROM device_groups');

async function findDevices(
  em: EntityManager,
  serials: string[],
  holds: boolean,
): Promise<Map<string, ExistingDevice>> {
  if (serials.length === 0) return new Map();
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM devices WHERE serial_no IN (${placeholders(serials)})`,
    serials,
  );
  if (rows.length === 0) return new Map();
  // Ordered by id: every transaction locks devices in this order, which prevents deadlocks.
  const ids = rows.map(({ id }) => id);
  const where = { id: ids };
  const devices = await (holds ? lockRows(em, DeviceEntity, where, 'id') : findRows(em, DeviceEntity, where));
  const memberships = await em.query<{ group_id: number; device_id: number }[]>(
    `SELECT group_id, device_id FROM device_memberships WHERE device_id IN (${placeholders(ids)})`,
    ids,
  );
  const groups = Map.groupBy(memberships, ({ device_id }) => device_id);
  return new Map(
    devices.map((device) => {
      const groupIds = new Set(groups.get(device.id)?.map(({ group_id }) => group_id));
      return [device.serial_no ?? '', Object.assign(device, { groupIds })];
    }),
  );
}

async function findHolders(em: EntityManager, userIds: number[]): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await em.query<{ id: number; user_id: number }[]>(
    `SELECT id, user_id FROM devices WHERE user_id IN (${placeholders(userIds)})`,
    userIds,
  );
  return new Map(rows.map(({ id, user_id }) => [user_id, id]));
}

/** Updates locked devices, each with its own values. */
export async function updateDevices(
  em: EntityManager,
  devices: readonly Pick<DeviceEntity, 'id' | 'name' | 'name_search' | 'status' | 'user_id'>[],
): Promise<void> {
  for (const chunk of inChunks(devices, UPDATE_BATCH_SIZE)) await updateEach(em, DeviceEntity, 'id', chunk);
}

/** Removes locked devices from groups, and adds them to locked groups. */
export async function changeMemberships(
  em: EntityManager,
  { joined, left }: { joined: DeviceMembershipEntity[]; left: DeviceMembershipEntity[] },
): Promise<void> {
  for (const chunk of inChunks(left))
    await em.query(
      `DELETE FROM device_memberships WHERE (group_id, device_id) IN ${tupleListOfChange(em, chunk, '?, ?')}`,
      chunk.flatMap(({ group_id, device_id }) => [group_id, device_id]),
    );
  for (const chunk of inChunks(joined)) await insertRows(em, DeviceMembershipEntity, chunk);
}
