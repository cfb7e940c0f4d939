import { type EntityManager, In, IsNull } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { fromNearerEnd, GroupsPage, offsetOf, type PageRequest } from '../../common/http/page';
import { allOf, placeholders, type RawCount, type SqlPart, toCount } from '../../database/sql/dialect';
import { findRows, updateEach } from '../../database/sql/statements';
import type { ListDeviceGroupsQuery } from '../dto/device-group-requests.dto';
import type {
  DeviceGroupAncestorResponse,
  DeviceGroupDetailResponse,
  DeviceGroupNodeResponse,
} from '../dto/device-group.dto';
import { DeviceGroupTreeEntity, THE_MEMBERSHIPS, THE_TREE } from '../entities/device-group-tree.entity';
import { DeviceGroupEntity } from '../entities/device-group.entity';
import { foldCase } from '../../common/fold-case';
import type { DirectCount, SharedDevice } from '../rules/branch-counts.rules';
import { ancestorIds } from '../rules/group-path.rules';

/*
 * Reads of the tree, as plain rows. `em` may belong to a transaction or not.
 */

/** Fields of a group that every response contains. */
export type GroupFields = Omit<DeviceGroupNodeResponse, 'children'>;

/** Columns of a group that clients see (API 11.1). */
const COLUMNS = 'g.id, g.name, g.description, g.parent_id, g.sort_order, g.status';

/** Versions of the group tree and of the memberships. The device counts depend on both. */
export interface Versions {
  tree: number;
  memberships: number;
}

/** Returns the versions in a row that has other columns, too. */
const versionsOf = ({ tree, memberships }: Versions): Versions => ({ tree, memberships });

/** Returns the versions with these ids, `THE_TREE` or `THE_MEMBERSHIPS`. */
export async function versionsByIds(em: EntityManager, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await findRows(em, DeviceGroupTreeEntity, { id: ids });
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Selects the versions as of the statement. */
const VERSIONS = `(SELECT version FROM device_group_tree WHERE id = ${THE_TREE}) AS tree,
  (SELECT version FROM device_group_tree WHERE id = ${THE_MEMBERSHIPS}) AS memberships`;

type VersionedGroup = GroupFields & Versions;

/** A page of groups and the versions at which it was read; without groups the versions are undefined. */
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

/** Returns all groups in list order. */
export const allGroups = (em: EntityManager): Promise<GroupFields[]> =>
  em.query<GroupFields[]>(`SELECT ${COLUMNS} FROM device_groups g ORDER BY g.sort_order, g.id`);

/** Returns the ids of all groups in list order: by `sort_order`, then `id` (API 11.2). */
export async function orderedIds(em: EntityManager): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>('SELECT id FROM device_groups ORDER BY sort_order, id');
  return rows.map(({ id }) => id);
}

/** Returns one page of the list whose ordered ids are given. */
export async function pageInOrder(
  em: EntityManager,
  ids: number[],
  request: PageRequest,
): Promise<VersionedPage> {
  const start = offsetOf(request);
  const pageIds = ids.slice(start, start + request.per_page);
  if (pageIds.length === 0) return { page: new GroupsPage([], ids.length, request) };
  const rows = await em.query<VersionedGroup[]>(
    `SELECT ${COLUMNS}, ${VERSIONS} FROM device_groups g WHERE g.id IN (${placeholders(pageIds)})`,
    pageIds,
  );
  const groups = new Map(rows.map((row) => [row.id, toGroup(row)]));
  const items = pageIds.flatMap((id) => groups.get(id) ?? []);
  return { page: new GroupsPage(items, ids.length, request), versions: rows[0] && versionsOf(rows[0]) };
}

/**
 * Returns one page of the groups that match the query (API 11.2). Only ids are skipped, which
 * needs no more than an index, and from the nearer end.
 * @returns undefined when the tree was changed between the count and the page
 */
export async function filteredPage(
  em: EntityManager,
  query: ListDeviceGroupsQuery,
): Promise<VersionedPage | undefined> {
  const { sql: where, parameters } = conditionsOf(query);
  const [row] = await em.query<({ total: RawCount } & Versions)[]>(
    `SELECT COUNT(*) AS total, ${VERSIONS} FROM device_groups g${where}`,
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
       SELECT g.id FROM device_groups g${where} ORDER BY g.sort_order ${order}, g.id ${order} LIMIT ? OFFSET ?
     ) k JOIN device_groups g ON g.id = k.id ORDER BY g.sort_order, g.id`,
    [...parameters, limit, offset],
  );
  const [first] = rows;
  if (first === undefined || first.tree !== row?.tree) return undefined;
  return { page: new GroupsPage(rows.map(toGroup), total, query), versions: versionsOf(first) };
}

function conditionsOf({ keyword, status, parent_id }: ListDeviceGroupsQuery): SqlPart {
  const conditions: SqlPart[] = [];
  const where = (sql: string, ...parameters: unknown[]): void => void conditions.push({ sql, parameters });
  // INSTR has no wildcards, so `%` and `_` match themselves.
  if (keyword !== undefined) where('INSTR(g.name_search, ?) > 0', foldCase(keyword));
  if (status !== undefined) where('g.status = ?', status);
  if (parent_id === 0) where('g.parent_id IS NULL');
  else if (parent_id !== undefined) where('g.parent_id = ?', parent_id);
  return allOf(conditions);
}

/** A group in full, but without its device counts. */
export type UncountedGroup = Omit<DeviceGroupDetailResponse, 'device_count' | 'total_device_count'>;

const CHILD_COUNT = '(SELECT COUNT(*) FROM device_groups c WHERE c.parent_id = g.id) AS child_count';

/**
 * Returns a group with its ancestors but without device counts (API 11.2), and the versions at which it was read.
 * @returns undefined if it does not exist
 */
export async function uncountedGroup(
  em: EntityManager,
  id: number,
): Promise<{ group: UncountedGroup; versions: Versions } | undefined> {
  const [row] = await em.query<(GroupRow & Versions)[]>(
    `SELECT ${COLUMNS}, g.path, ${CHILD_COUNT}, ${VERSIONS} FROM device_groups g WHERE g.id = ?`,
    [id],
  );
  if (row === undefined) return undefined;
  const { child_count, path } = row;
  const group = { ...toGroup(row), child_count: toCount(child_count), path: await ancestors(em, path) };
  return { group, versions: versionsOf(row) };
}

/**
 * Returns a group in full, including uncommitted changes of the transaction of `em`; undefined if it does not exist.
 */
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

/** A group with its path and the number of its children. */
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

/** Either the number of devices directly in a group (`device_id` 0), or one group of a device that is in several. */
interface CountRow {
  path: string;
  device_id: number;
  n: RawCount;
}

/**
 * Reads the input of the device counts: the number of devices of each group that has any, and each group of the devices
 * that are in several. One statement, so that both are consistent; both halves read memberships from an index alone.
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

/** Returns the children of a group (null: the top level), in order. */
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

/** Sets the `sort_order` of groups. */
export async function setSortOrders(
  em: EntityManager,
  groups: readonly Pick<DeviceGroupEntity, 'id' | 'sort_order'>[],
): Promise<void> {
  for (const chunk of inChunks(groups))
    await updateEach(
      em,
      DeviceGroupEntity,
      'id',
      chunk.map(({ id, sort_order }) => ({ id, sort_order })),
    );
}
