import { type EntityManager, In } from 'typeorm';
import { GroupsPage } from '../common/http/page';
import type { ListDeviceGroupsQuery } from './dto/device-group-requests.dto';
import type { DeviceGroup, DeviceGroupAncestor, DeviceGroupDetail } from './dto/device-group.dto';
import { DeviceGroupEntity } from './entities/device-group.entity';
import { foldCase } from '../common/fold-case';
import { ancestorIds } from './group-path';
import { idPage } from './id-page';

/*
 * Reads of the tree, as plain rows. `em` is a transaction's, or the one outside of any.
 */

/** A group as clients see it (specification 2.4). */
const COLUMNS = 'g.id, g.name, g.description, g.parent_id, g.sort_order, g.status';

/** Every group, in order: one flat query. */
export const allGroups = (em: EntityManager): Promise<DeviceGroup[]> =>
  em.query<DeviceGroup[]>(`SELECT ${COLUMNS} FROM device_groups g ORDER BY g.sort_order, g.id`);

/** One page of the groups that the query asks for, by `sort_order`, then `id` (specification 4.6, contract 4). */
export async function groupsPage(
  em: EntityManager,
  query: ListDeviceGroupsQuery,
): Promise<GroupsPage<DeviceGroup>> {
  const { keyword, status, parent_id } = query;
  const matching = em.createQueryBuilder(DeviceGroupEntity, 'g');
  // INSTR knows no wildcards, so `%` and `_` are what they are.
  if (keyword !== undefined)
    matching.andWhere('INSTR(g.name_search, :part) > 0', { part: foldCase(keyword) });
  if (status !== undefined) matching.andWhere('g.status = :status', { status });
  if (parent_id === 0) matching.andWhere('g.parent_id IS NULL');
  else if (parent_id !== undefined) matching.andWhere('g.parent_id = :parent_id', { parent_id });

  const { ids, total } = await idPage(matching, ['sort_order', 'id'], query);
  return new GroupsPage(await groupsByIds(em, ids), total, query);
}

/** One group with its counts and the groups above it (contract 4), or undefined when there is none. */
export async function groupDetail(em: EntityManager, id: number): Promise<DeviceGroupDetail | undefined> {
  const [row] = await em.query<GroupRow[]>(
    `SELECT ${COLUMNS}, g.path,
      (SELECT COUNT(*) FROM device_memberships m WHERE m.group_id = g.id) AS device_count,
      (SELECT COUNT(*) FROM device_groups c WHERE c.parent_id = g.id) AS child_count
    FROM device_groups g WHERE g.id = ?`,
    [id],
  );
  if (row === undefined) return undefined;
  const { device_count, child_count, path, ...group } = row;
  return {
    ...group,
    device_count: Number(device_count),
    child_count: Number(child_count),
    path: await ancestors(em, path),
  };
}

/** MySQL counts in text. */
type GroupRow = DeviceGroup & { path: string; device_count: number | string; child_count: number | string };

async function ancestors(em: EntityManager, path: string): Promise<DeviceGroupAncestor[]> {
  const ids = ancestorIds(path);
  if (ids.length === 0) return [];
  const rows = await em.find(DeviceGroupEntity, {
    select: { id: true, name: true },
    where: { id: In(ids) },
    order: { depth: 'ASC' },
  });
  return rows.map(({ id, name }) => ({ id, name }));
}

async function groupsByIds(em: EntityManager, ids: number[]): Promise<DeviceGroup[]> {
  if (ids.length === 0) return [];
  const marks = ids.map(() => '?').join(', ');
  return em.query<DeviceGroup[]>(
    `SELECT ${COLUMNS} FROM device_groups g WHERE g.id IN (${marks}) ORDER BY g.sort_order, g.id`,
    ids,
  );
}
