import type { EntityManager } from 'typeorm';
import type { TimeRange } from '../../common/day-range';
import { fromNearerEnd, ItemsPage, offsetOf, type PageRequest } from '../../common/http/page';
import {
  allOf,
  placeholders,
  type RawCount,
  type RawTimestamp,
  type SqlPart,
  toCount,
  toDate,
  toDateOrNull,
  toSqlTimestamp,
} from '../../database/sql/dialect';
import { deleteRows, insertAllotted, lockRows, updateRows } from '../../database/sql/statements';
import { BusinessError } from '../../common/errors/business-error';
import { foldCase } from '../../common/fold-case';
import type { SearchDevicesQuery } from '../dto/device-requests.dto';
import {
  type DevicePlaceResponse,
  type DeviceResponse,
  type ShownDevice,
  toDeviceResponse,
} from '../dto/device.dto';
import { DeviceEntity } from '../entities/device.entity';
import { requireAll } from './memberships.store';

/* Reads of devices, ordered by id unless stated otherwise (API 12.2). `em` may belong to a transaction or not. */

/** Filter of devices. Fields left out do not restrict it. */
export interface DeviceFilter extends Omit<SearchDevicesQuery, 'from' | 'to'> {
  /** Range of the creation time. */
  created?: TimeRange;
}

/**
 * Returns one page of the devices that match the filter. Only ids are skipped, which needs no more than an index, and
 * from the nearer end; the rows of the page are then read by id. So the last page costs as much as the first.
 * @param sort column to order by, descending with a leading `-`; default: id
 */
export async function devicesPage(
  em: EntityManager,
  { sort = 'id', ...filter }: DeviceFilter & { sort?: string },
  request: PageRequest,
): Promise<ItemsPage<DeviceResponse>> {
  const { sql, parameters } = matchingDevices(em, filter);
  const [row] = await em.query<{ total: RawCount }[]>(`SELECT COUNT(*) AS total ${sql}`, parameters);
  const total = toCount(row?.total);
  const { offset, limit, backwards } = fromNearerEnd(
    { offset: offsetOf(request), limit: request.per_page },
    total,
  );
  if (limit === 0) return new ItemsPage([], total, request);
  const column = sort.replace('-', '');
  const order = sort.startsWith('-') !== backwards ? 'DESC' : 'ASC';
  const columns = column === 'id' ? [column] : [column, 'id'];
  const rows = await em.query<{ id: number }[]>(
    `SELECT d.id ${sql} ORDER BY ${columns.map((name) => `d.${name} ${order}`).join(', ')} LIMIT ? OFFSET ?`,
    [...parameters, limit, offset],
  );
  const ids = rows.map(({ id }) => id);
  return new ItemsPage(await devicesByIds(em, backwards ? ids.toReversed() : ids), total, request);
}

/** Returns the ids of at most `limit` devices that match and have a greater id than `afterId`, ascending. */
export async function deviceIdsAfter(
  em: EntityManager,
  filter: DeviceFilter,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<number[]> {
  const { sql, parameters } = matchingDevices(em, { ...filter, afterId });
  const rows = await em.query<{ id: number }[]>(`SELECT d.id ${sql} ORDER BY d.id LIMIT ?`, [
    ...parameters,
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** Returns the part of a SELECT from FROM on. */
function matchingDevices(
  em: EntityManager,
  {
    keyword,
    status,
    group_id,
    ungrouped,
    online,
    created = {},
    afterId,
  }: DeviceFilter & { afterId?: number },
): SqlPart {
  const conditions: SqlPart[] = [];
  const where = (sql: string, ...parameters: unknown[]): void => void conditions.push({ sql, parameters });
  if (keyword !== undefined) {
    const part = foldCase(keyword);
    // INSTR has no wildcards, so `%` and `_` match themselves.
    where('(INSTR(d.name_search, ?) > 0 OR INSTR(d.serial_no_search, ?) > 0)', part, part);
  }
  if (status !== undefined) where('d.status = ?', status);
  if (group_id !== undefined) where(`d.id IN (SELECT m.device_id ${IN_GROUP})`, group_id);
  if (ungrouped === 1) where('NOT EXISTS (SELECT 1 FROM device_memberships m WHERE m.device_id = d.id)');
  if (online !== undefined) where('d.online = ?', online);
  if (created.from !== undefined) where('d.created_at >= ?', toSqlTimestamp(em, created.from));
  if (created.before !== undefined) where('d.created_at < ?', toSqlTimestamp(em, created.before));
  if (afterId !== undefined) where('d.id > ?', afterId);
  const { sql, parameters } = allOf(conditions);
  return { sql: `FROM devices d${sql}`, parameters };
}

/** Memberships in one group. */
const IN_GROUP = 'FROM device_memberships m WHERE m.group_id = ?';

/**
 * Memberships in a group and the groups below it: `subtreeRange` in SQL. One statement reads the path of the group and
 * its subtree, so that a concurrent move does not separate them.
 */
const IN_SUBTREE = `FROM device_groups top
  JOIN device_groups g
    ON g.path >= top.path AND g.path < CONCAT(SUBSTR(top.path, 1, LENGTH(top.path) - 1), '0')
  JOIN device_memberships m ON m.group_id = g.id
  WHERE top.id = ?`;

/**
 * Returns one page of the devices in a group, with `recursive` also in the groups below it, each device once. Starts
 * from the memberships: starting from the devices, MariaDB reads every device.
 */
export async function groupDevicesPage(
  em: EntityManager,
  { groupId, recursive }: { groupId: number; recursive: boolean },
  request: PageRequest,
): Promise<ItemsPage<DeviceResponse>> {
  const memberships = recursive ? IN_SUBTREE : IN_GROUP;
  const [count] = await em.query<{ total: RawCount }[]>(
    `SELECT COUNT(DISTINCT m.device_id) AS total ${memberships}`,
    [groupId],
  );
  const rows = await em.query<{ id: number }[]>(
    `SELECT DISTINCT m.device_id AS id ${memberships} ORDER BY m.device_id LIMIT ? OFFSET ?`,
    [groupId, request.per_page, offsetOf(request)],
  );
  const items = await devicesByIds(
    em,
    rows.map(({ id }) => id),
  );
  return new ItemsPage(items, toCount(count?.total), request);
}

/**
 * A device with one group on the path from one of its groups (`level` 0) up to the root; without groups these are null.
 */
interface DeviceRow extends Omit<ShownDevice, 'created_at' | 'online' | 'last_seen_at'> {
  created_at: RawTimestamp;
  online: number;
  last_seen_at: RawTimestamp | null;
  place_id: number | null;
  group_id: number;
  group_name: string;
  sort_order: number;
  level: number;
}

/**
 * Returns the devices with these ids, in this order, with their groups; unknown ids are left out. One statement walks
 * up from all their groups, so that their paths are consistent.
 */
export async function devicesByIds(em: EntityManager, ids: number[]): Promise<DeviceResponse[]> {
  if (ids.length === 0) return [];
  const among = placeholders(ids);
  const rows = await em.query<DeviceRow[]>(
    `WITH RECURSIVE up (device_id, place_id, sort_order, group_id, group_name, parent_id, level) AS (
       SELECT m.device_id, g.id, g.sort_order, g.id, g.name, g.parent_id, 0
       FROM device_memberships m JOIN device_groups g ON g.id = m.group_id WHERE m.device_id IN (${among})
       UNION ALL
       SELECT up.device_id, up.place_id, up.sort_order, p.id, p.name, p.parent_id, up.level + 1
       FROM up JOIN device_groups p ON p.id = up.parent_id)
     SELECT d.id, d.name, d.serial_no, d.status, d.created_at, d.user_id, d.online, d.last_seen_at, d.version,
       d.battery, up.place_id, up.group_id, up.group_name, up.sort_order, up.level
     FROM devices d LEFT JOIN up ON up.device_id = d.id WHERE d.id IN (${among})
     ORDER BY up.sort_order, up.place_id, up.level DESC`,
    [...ids, ...ids],
  );
  const byDevice = Map.groupBy(rows, ({ id }) => id);
  return ids.flatMap((id) => {
    const rowsOfDevice = byDevice.get(id) ?? [];
    const [device] = rowsOfDevice;
    if (device === undefined) return [];
    const { created_at, last_seen_at, online, ...columns } = device;
    const shown = {
      ...columns,
      created_at: toDate(created_at),
      last_seen_at: toDateOrNull(last_seen_at),
      online: Boolean(online),
    };
    return [toDeviceResponse(shown, groupsIn(rowsOfDevice))];
  });
}

/** Returns the groups in the rows of a device, each with the path from the root. */
function groupsIn(rows: DeviceRow[]): DevicePlaceResponse[] {
  const inGroups = rows.filter(({ place_id }) => place_id !== null);
  return [...Map.groupBy(inGroups, ({ place_id }) => place_id).values()].map((rowsOfGroup) => {
    const path = rowsOfGroup.map(({ group_id, group_name }) => ({ id: group_id, name: group_name }));
    const { id, name } = path.pop() ?? { id: 0, name: '' };
    return { id, name, path };
  });
}

/** Locks devices until the commit, by ascending id. Unknown ids are left out. */
export const lockedDevices = (em: EntityManager, ids: readonly number[]): Promise<DeviceEntity[]> =>
  lockRows(em, DeviceEntity, { id: ids }, 'id');

/** Inserts devices and returns their ids, in the same order. */
export const insertDevices = (
  em: EntityManager,
  devices: readonly Omit<DeviceEntity, 'id'>[],
): Promise<number[]> => insertAllotted(em, DeviceEntity, [...devices]);

/** Sets the same values in locked devices. */
export async function setInDevices(
  em: EntityManager,
  ids: readonly number[],
  columns: Partial<DeviceEntity>,
): Promise<void> {
  await updateRows<DeviceEntity>(em, DeviceEntity, { id: ids }, columns);
}

/** Deletes locked devices. */
export async function deleteDevices(em: EntityManager, ids: readonly number[]): Promise<void> {
  await deleteRows(em, DeviceEntity, { id: ids });
}

/**
 * Locks devices until the commit, by ascending id.
 * @throws {BusinessError} VALIDATION `设备不存在: 7, 9`
 */
export async function requireDevices(em: EntityManager, ids: number[]): Promise<DeviceEntity[]> {
  const devices = await lockedDevices(em, ids);
  requireAll(ids, new Set(devices.map(({ id }) => id)));
  return devices;
}

/** Returns the id of the device that is bound to a user; undefined if there is none. */
export async function deviceBoundTo(em: EntityManager, userId: number): Promise<number | undefined> {
  const [row] = await em.query<{ id: number }[]>('SELECT id FROM devices WHERE user_id = ?', [userId]);
  return row?.id;
}

/** @throws {BusinessError} SERIAL_NO_TAKEN when a device other than `exceptId` has the serial number */
export async function assertSerialNumberFree(
  em: EntityManager,
  serialNo: string,
  exceptId = 0,
): Promise<void> {
  const [row] = await em.query<{ id: number }[]>('SELECT id FROM devices WHERE serial_no = ?', [serialNo]);
  if (row !== undefined && row.id !== exceptId) throw new BusinessError('SERIAL_NO_TAKEN');
}
