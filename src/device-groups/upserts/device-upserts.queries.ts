import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { lockingRows, placeholders, tupleListOfChange } from '../../database/dialect';
import { insertRows, updateEach } from '../../database/rows';
import { DeviceMembershipEntity } from '../entities/device-membership.entity';
import { DeviceEntity } from '../entities/device.entity';
import { holdGroups } from '../memberships.queries';
import type { NamedGroup } from '../rules/group-names';
import { groupsNamedBy, type KnownDevice, type Standing, type ToldDevice } from '../rules/device-upsert-plan';

/** A statement looks each row's values up one after the other. */
const CHANGES_AT_ONCE = 100;

/** A device as its row says, and the groups it is in. */
export type StandingDevice = DeviceEntity & Pick<KnownDevice, 'groupIds'>;

/**
 * What there is of the devices told of, and of the groups and users that are named with them.
 * @param holds whether groups and devices are held until the commit, in this order and the lowest ids first; else nothing is
 *   promised of the next moment
 * @param knownUsers those of some users that there are
 */
export async function standingOf(
  em: EntityManager,
  told: readonly ToldDevice[],
  { holds, knownUsers }: { holds: boolean; knownUsers: (ids: number[]) => Promise<ReadonlySet<number>> },
): Promise<Standing<StandingDevice>> {
  const groupIds = unique(told.flatMap(groupsNamedBy));
  const userIds = unique(told.flatMap(({ user_id }) => user_id ?? []));
  const groups = await groupsAmong(em, groupIds, holds);
  const serials = told.map(({ serial_no }) => serial_no);
  return {
    groups,
    devices: await devicesBySerial(em, serials, holds),
    users: userIds.length === 0 ? new Set() : await knownUsers(userIds),
    holders: await holdersOf(em, userIds),
  };
}

const unique = (ids: readonly number[]): number[] => [...new Set(ids)];

/** Many lines name many groups. */
async function groupsAmong(em: EntityManager, ids: number[], holds: boolean): Promise<Set<number>> {
  const found = new Set<number>();
  for (const some of inChunks(ids.toSorted((a, b) => a - b)))
    for (const id of holds ? await holdGroups(em, some) : await groupIdsAmong(em, some)) found.add(id);
  return found;
}

async function groupIdsAmong(em: EntityManager, ids: number[]): Promise<number[]> {
  const sql = `SELECT id FROM device_groups WHERE id IN (${placeholders(ids)})`;
  return (await em.query<{ id: number }[]>(sql, ids)).map(({ id }) => id);
}

/** All groups, as far as their names lead to them. */
export const allGroupNames = (em: EntityManager): Promise<NamedGroup[]> =>
  em.query<NamedGroup[]>('SELECT id, parent_id, name FROM device_groups');

async function devicesBySerial(
  em: EntityManager,
  serials: string[],
  holds: boolean,
): Promise<Map<string, StandingDevice>> {
  if (serials.length === 0) return new Map();
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM devices WHERE serial_no IN (${placeholders(serials)})`,
    serials,
  );
  if (rows.length === 0) return new Map();
  // By their ids, since whoever holds several does so in that order.
  const ids = rows.map(({ id }) => id);
  const query = em.createQueryBuilder(DeviceEntity, 'd').where('d.id IN (:...ids)', { ids }).orderBy('d.id');
  const devices = await (holds ? lockingRows(query) : query).getMany();
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

async function holdersOf(em: EntityManager, userIds: number[]): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await em.query<{ id: number; user_id: number }[]>(
    `SELECT id, user_id FROM devices WHERE user_id IN (${placeholders(userIds)})`,
    userIds,
  );
  return new Map(rows.map(({ id, user_id }) => [user_id, id]));
}

/** Changes devices that are held, each to fields of its own. */
export async function updateDevices(
  em: EntityManager,
  devices: readonly Pick<DeviceEntity, 'id' | 'name' | 'name_search' | 'status' | 'user_id'>[],
): Promise<void> {
  for (const some of inChunks(devices, CHANGES_AT_ONCE)) await updateEach(em, DeviceEntity, 'id', some);
}

/** Takes devices, which are held, out of groups, and puts them into others, which are held too. */
export async function changeMemberships(
  em: EntityManager,
  { joined, left }: { joined: DeviceMembershipEntity[]; left: DeviceMembershipEntity[] },
): Promise<void> {
  for (const some of inChunks(left))
    await em.query(
      `DELETE FROM device_memberships WHERE (group_id, device_id) IN ${tupleListOfChange(em, some, '?, ?')}`,
      some.flatMap(({ group_id, device_id }) => [group_id, device_id]),
    );
  for (const some of inChunks(joined)) await insertRows(em, DeviceMembershipEntity, some);
}
