import { type EntityManager, In } from 'typeorm';
import { GroupsPage } from '../common/http/page';
import type { ListDeviceGroupsQuery } from './dto/device-group-requests.dto';
import type { DeviceGroup, DeviceGroupAncestor, DeviceGroupDetail } from './dto/device-group.dto';
import { THE_TREE } from './entities/device-group-tree.entity';
import { DeviceGroupEntity } from './entities/device-group.entity';
import { foldCase } from '../common/fold-case';
import { ancestorIds } from './group-path';
import { fromNearerEnd } from './id-page';

/*
 * Reads of the tree, as plain rows. `em` is a transaction's, or the one outside of any.
 */

/** A group as clients see it (specification 2.4). */
const COLUMNS = 'g.id, g.name, g.description, g.parent_id, g.sort_order, g.status';

/** Every group, in order: one flat query. */
export const allGroups = (em: EntityManager): Promise<DeviceGroup[]> =>
  em.query<DeviceGroup[]>(`SELECT ${COLUMNS} FROM device_groups g ORDER BY g.sort_order, g.id`);

/** One page of the groups, and the version of the tree that it was read from; a page without groups tells none. */
export interface VersionedPage {
  page: GroupsPage<DeviceGroup>;
  version?: number;
}

/**
 * One page of the groups that the query asks for, by `sort_order`, then `id` (specification 4.6, contract 4). Only ids
 * are skipped over, which an index answers by itself, and from the end that is nearer; the last page costs what the
 * first one does. `known`: how many there are in all, where that is known.
 */
export async function groupsPage(
  em: EntityManager,
  query: ListDeviceGroupsQuery,
  known?: number,
): Promise<VersionedPage> {
  const { where, parameters } = conditionsOf(query);
  const total = known ?? (await countGroups(em, where, parameters));
  const { offset, limit, backwards } = fromNearerEnd(query, total);
  if (limit === 0) return { page: new GroupsPage([], total, query) };
  const order = backwards ? 'DESC' : 'ASC';
  const rows = await em.query<(DeviceGroup & { version: number })[]>(
    `SELECT ${COLUMNS}, (SELECT version FROM device_group_tree WHERE id = ${THE_TREE}) AS version FROM (
       SELECT g.id FROM device_groups g ${where} ORDER BY g.sort_order ${order}, g.id ${order} LIMIT ? OFFSET ?
     ) k JOIN device_groups g ON g.id = k.id ORDER BY g.sort_order, g.id`,
    [...parameters, limit, offset],
  );
  const groups = rows.map(({ id, name, description, parent_id, sort_order, status }) => ({
    id,
    name,
    description,
    parent_id,
    sort_order,
    status,
  }));
  return { page: new GroupsPage(groups, total, query), version: rows[0]?.version };
}

/** How many groups there are. */
export async function countGroups(
  em: EntityManager,
  where = '',
  parameters: unknown[] = [],
): Promise<number> {
  const [row] = await em.query<{ total: number | string }[]>(
    `SELECT COUNT(*) AS total FROM device_groups g ${where}`,
    parameters,
  );
  return Number(row?.total);
}

function conditionsOf({ keyword, status, parent_id }: ListDeviceGroupsQuery): {
  where: string;
  parameters: unknown[];
} {
  const conditions: string[] = [];
  const parameters: unknown[] = [];
  const add = (condition: string, ...values: unknown[]): void => {
    conditions.push(condition);
    parameters.push(...values);
  };
  // INSTR knows no wildcards, so `%` and `_` are what they are.
  if (keyword !== undefined) add('INSTR(g.name_search, ?) > 0', foldCase(keyword));
  if (status !== undefined) add('g.status = ?', status);
  if (parent_id === 0) add('g.parent_id IS NULL');
  else if (parent_id !== undefined) add('g.parent_id = ?', parent_id);
  return { where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, parameters };
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
