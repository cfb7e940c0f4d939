import { type EntityManager, In, IsNull } from 'typeorm';
import { inChunks } from '../common/concurrency/chunks';
import { fromNearerEnd, GroupsPage, offsetOf, type PageRequest } from '../common/http/page';
import { placeholders, type RawCount, toCount } from '../database/dialect';
import type { ListDeviceGroupsQuery } from './dto/device-group-requests.dto';
import type {
  DeviceGroupAncestorResponse,
  DeviceGroupDetailResponse,
  DeviceGroupNodeResponse,
} from './dto/device-group.dto';
import { THE_MEMBERSHIPS, THE_TREE } from './entities/device-group-tree.entity';
import { DeviceGroupEntity } from './entities/device-group.entity';
import { foldCase } from '../common/fold-case';
import type { DirectCount, SharedDevice } from './rules/branch-counts';
import { ancestorIds } from './rules/group-path';

/*
 * Reads of the tree, as plain rows. `em` is a transaction's, or the one outside of any.
 */

/** What every answer says of a group, as plain fields. */
export type GroupFields = Omit<DeviceGroupNodeResponse, 'children'>;

/** A group as clients see it (specification 2.4). */
const COLUMNS = 'g.id, g.name, g.description, g.parent_id, g.sort_order, g.status';

/** What the counts of devices depend on, as it is at some moment: the groups, and the devices that are in them. */
export interface Versions {
  tree: number;
  memberships: number;
}

/** The versions at the moment of the statement. */
const VERSIONS = `(SELECT version FROM device_group_tree WHERE id = ${THE_TREE}) AS tree_version,
  (SELECT version FROM device_group_tree WHERE id = ${THE_MEMBERSHIPS}) AS memberships_version`;

interface VersionsRow {
  tree_version: number;
  memberships_version: number;
}

const versionsOf = ({ tree_version, memberships_version }: VersionsRow): Versions => ({
  tree: tree_version,
  memberships: memberships_version,
});

type VersionedGroup = GroupFields & VersionsRow;

/** A page of groups, and the versions that it was read from; a page without groups tells none. */
export interface VersionedPage {
  page: GroupsPage<GroupFields>;
  versions?: Versions;
}

const toGroup = ({ id, name, description, parent_id, sort_order, status }: GroupFields): GroupFields => ({
  id,
  name,
  description,
  parent_id,
  sort_order,
  status,
});

/** Every group, in order: one flat query. */
export const allGroups = (em: EntityManager): Promise<GroupFields[]> =>
  em.query<GroupFields[]>(`SELECT ${COLUMNS} FROM device_groups g ORDER BY g.sort_order, g.id`);

/** The ids of all groups, in the order of the list: by `sort_order`, then `id` (specification 4.6). */
export async function orderedIds(em: EntityManager): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>('SELECT id FROM device_groups ORDER BY sort_order, id');
  return rows.map(({ id }) => id);
}

/** One page of a list whose order is known. */
export async function pageInOrder(
  em: EntityManager,
  ids: number[],
  request: PageRequest,
): Promise<VersionedPage> {
  const start = offsetOf(request);
  const wanted = ids.slice(start, start + request.per_page);
  if (wanted.length === 0) return { page: new GroupsPage([], ids.length, request) };
  const rows = await em.query<VersionedGroup[]>(
    `SELECT ${COLUMNS}, ${VERSIONS} FROM device_groups g WHERE g.id IN (${placeholders(wanted)})`,
    wanted,
  );
  const groups = new Map(rows.map((row) => [row.id, toGroup(row)]));
  const items = wanted.flatMap((id) => groups.get(id) ?? []);
  return { page: new GroupsPage(items, ids.length, request), versions: rows[0] && versionsOf(rows[0]) };
}

/**
 * One page of the groups that the query asks for (specification 4.6, contract 4). Only ids are skipped over, which an
 * index answers by itself, and from the end that is nearer. Undefined when the tree was changed between count and page.
 */
export async function filteredPage(
  em: EntityManager,
  query: ListDeviceGroupsQuery,
): Promise<VersionedPage | undefined> {
  const { where, parameters } = conditionsOf(query);
  const [row] = await em.query<({ total: RawCount } & VersionsRow)[]>(
    `SELECT COUNT(*) AS total, ${VERSIONS} FROM device_groups g ${where}`,
    parameters,
  );
  const total = toCount(row?.total);
  const { offset, limit, backwards } = fromNearerEnd(
    { offset: offsetOf(query), limit: query.per_page },
    total,
  );
  if (limit === 0) return { page: new GroupsPage([], total, query) };
  const order = backwards ? 'DESC' : 'ASC';
  const rows = await em.query<VersionedGroup[]>(
    `SELECT ${COLUMNS}, ${VERSIONS} FROM (
       SELECT g.id FROM device_groups g ${where} ORDER BY g.sort_order ${order}, g.id ${order} LIMIT ? OFFSET ?
     ) k JOIN device_groups g ON g.id = k.id ORDER BY g.sort_order, g.id`,
    [...parameters, limit, offset],
  );
  const [first] = rows;
  if (first === undefined || first.tree_version !== row?.tree_version) return undefined;
  return { page: new GroupsPage(rows.map(toGroup), total, query), versions: versionsOf(first) };
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

/** One group without the counts of its devices, and the versions that it was read from. */
export type UncountedGroup = Omit<DeviceGroupDetailResponse, 'device_count' | 'total_device_count'>;

const CHILD_COUNT = '(SELECT COUNT(*) FROM device_groups c WHERE c.parent_id = g.id) AS child_count';

/** One group with the groups above it (contract 4), its devices still to be counted; undefined when there is none. */
export async function uncountedGroup(
  em: EntityManager,
  id: number,
): Promise<{ group: UncountedGroup; versions: Versions } | undefined> {
  const [row] = await em.query<(GroupRow & VersionsRow)[]>(
    `SELECT ${COLUMNS}, g.path, ${CHILD_COUNT}, ${VERSIONS} FROM device_groups g WHERE g.id = ?`,
    [id],
  );
  if (row === undefined) return undefined;
  const { child_count, path } = row;
  const group = { ...toGroup(row), child_count: toCount(child_count), path: await ancestors(em, path) };
  return { group, versions: versionsOf(row) };
}

/** One group in full, as the transaction of `em` has left it; undefined when there is none. */
export async function groupDetail(
  em: EntityManager,
  id: number,
): Promise<DeviceGroupDetailResponse | undefined> {
  const [row] = await em.query<(GroupRow & { device_count: RawCount; total_device_count: RawCount })[]>(
    `SELECT ${COLUMNS}, g.path, ${CHILD_COUNT},
      (SELECT COUNT(*) FROM device_memberships m WHERE m.group_id = g.id) AS device_count,
      (SELECT COUNT(DISTINCT m.device_id) FROM device_groups b JOIN device_memberships m ON m.group_id = b.id
       WHERE b.path >= g.path AND b.path < CONCAT(SUBSTR(g.path, 1, LENGTH(g.path) - 1), '0'))
        AS total_device_count
    FROM device_groups g WHERE g.id = ?`,
    [id],
  );
  if (row === undefined) return undefined;
  const { device_count, total_device_count, child_count, path, ...group } = row;
  return {
    ...group,
    device_count: toCount(device_count),
    total_device_count: toCount(total_device_count),
    child_count: toCount(child_count),
    path: await ancestors(em, path),
  };
}

/** MySQL counts in text. */
type GroupRow = GroupFields & { path: string; child_count: RawCount };

async function ancestors(em: EntityManager, path: string): Promise<DeviceGroupAncestorResponse[]> {
  const ids = ancestorIds(path);
  if (ids.length === 0) return [];
  const rows = await em.find(DeviceGroupEntity, {
    select: { id: true, name: true },
    where: { id: In(ids) },
    order: { depth: 'ASC' },
  });
  return rows.map(({ id, name }) => ({ id, name }));
}

/** A row of either kind: so many devices directly in a group (`device_id` 0), or a place of a device that has several. */
interface CountRow {
  path: string;
  device_id: number;
  n: RawCount;
}

/**
 * All that counting devices takes, as one statement, so that it is of one moment: a row for each group that has any, and
 * for each place of a device that is in several. Both halves read an index by itself.
 */
export async function readDeviceCounts(
  em: EntityManager,
): Promise<{ direct: DirectCount[]; shared: SharedDevice[] }> {
  const rows = await em.query<CountRow[]>(
    `SELECT g.path, 0 AS device_id, d.n FROM
       (SELECT group_id, COUNT(*) AS n FROM device_memberships GROUP BY group_id) d
       JOIN device_groups g ON g.id = d.group_id
     UNION ALL
     SELECT g.path, s.device_id, 1 FROM
       (SELECT device_id FROM device_memberships GROUP BY device_id HAVING COUNT(*) > 1) s
       JOIN device_memberships m ON m.device_id = s.device_id
       JOIN device_groups g ON g.id = m.group_id`,
  );
  const isDirect = ({ device_id }: CountRow): boolean => device_id === 0;
  return {
    direct: rows.filter(isDirect).map(({ path, n }) => ({ path, count: toCount(n) })),
    shared: rows.filter((row) => !isDirect(row)),
  };
}

/** The groups directly in a group (null: at the top), in order. */
export async function childrenOf(
  em: EntityManager,
  parentId: number | null,
): Promise<Pick<DeviceGroupEntity, 'id' | 'sort_order'>[]> {
  return em.find(DeviceGroupEntity, {
    select: { id: true, sort_order: true },
    where: { parent_id: parentId ?? IsNull() },
    order: { sort_order: 'ASC', id: 'ASC' },
  });
}

/** Gives groups their places among their siblings. */
export async function setSortOrders(
  em: EntityManager,
  groups: readonly Pick<DeviceGroupEntity, 'id' | 'sort_order'>[],
): Promise<void> {
  for (const some of inChunks(groups)) {
    const ids = some.map(({ id }) => id);
    await em.query(
      `UPDATE device_groups SET sort_order = CASE id ${some.map(() => 'WHEN ? THEN ?').join(' ')} END
       WHERE id IN (${placeholders(ids)})`,
      [...some.flatMap(({ id, sort_order }) => [id, sort_order]), ...ids],
    );
  }
}
