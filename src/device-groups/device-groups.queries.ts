import { type EntityManager, In } from 'typeorm';
import { fromNearerEnd, GroupsPage, offsetOf, type PageRequest } from '../common/http/page';
import { placeholders, type RawCount, toCount } from '../database/dialect';
import type { ListDeviceGroupsQuery } from './dto/device-group-requests.dto';
import type {
  DeviceGroupResponse,
  DeviceGroupAncestorResponse,
  DeviceGroupDetailResponse,
} from './dto/device-group.dto';
import { THE_TREE } from './entities/device-group-tree.entity';
import { DeviceGroupEntity } from './entities/device-group.entity';
import { foldCase } from '../common/fold-case';
import { ancestorIds } from './group-path';

/*
 * Reads of the tree, as plain rows. `em` is a transaction's, or the one outside of any.
 */

/** A group as clients see it (specification 2.4). */
const COLUMNS = 'g.id, g.name, g.description, g.parent_id, g.sort_order, g.status';

/** The version of the tree at the moment of the statement. */
const VERSION = `(SELECT version FROM device_group_tree WHERE id = ${THE_TREE}) AS version`;

type VersionedGroup = DeviceGroupResponse & { version: number };

const toGroup = ({
  id,
  name,
  description,
  parent_id,
  sort_order,
  status,
}: VersionedGroup): DeviceGroupResponse => ({
  id,
  name,
  description,
  parent_id,
  sort_order,
  status,
});

/** Every group, in order: one flat query. */
export const allGroups = (em: EntityManager): Promise<DeviceGroupResponse[]> =>
  em.query<DeviceGroupResponse[]>(`SELECT ${COLUMNS} FROM device_groups g ORDER BY g.sort_order, g.id`);

/** The ids of all groups, in the order of the list: by `sort_order`, then `id` (specification 4.6). */
export async function orderedIds(em: EntityManager): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>('SELECT id FROM device_groups ORDER BY sort_order, id');
  return rows.map(({ id }) => id);
}

/**
 * One page of a list whose order is known, and the version of the tree that it was read from; a page without groups
 * tells none.
 */
export async function pageInOrder(
  em: EntityManager,
  ids: number[],
  request: PageRequest,
): Promise<{ page: GroupsPage<DeviceGroupResponse>; version?: number }> {
  const start = offsetOf(request);
  const wanted = ids.slice(start, start + request.per_page);
  if (wanted.length === 0) return { page: new GroupsPage<DeviceGroupResponse>([], ids.length, request) };
  const rows = await em.query<VersionedGroup[]>(
    `SELECT ${COLUMNS}, ${VERSION} FROM device_groups g WHERE g.id IN (${placeholders(wanted)})`,
    wanted,
  );
  const groups = new Map(rows.map((row) => [row.id, toGroup(row)]));
  const items = wanted.flatMap((id) => groups.get(id) ?? []);
  return { page: new GroupsPage(items, ids.length, request), version: rows[0]?.version };
}

/**
 * One page of the groups that the query asks for (specification 4.6, contract 4). Only ids are skipped over, which an
 * index answers by itself, and from the end that is nearer. Undefined when the tree was changed between count and page.
 */
export async function filteredPage(
  em: EntityManager,
  query: ListDeviceGroupsQuery,
): Promise<GroupsPage<DeviceGroupResponse> | undefined> {
  const { where, parameters } = conditionsOf(query);
  const [row] = await em.query<{ total: RawCount; version: number }[]>(
    `SELECT COUNT(*) AS total, ${VERSION} FROM device_groups g ${where}`,
    parameters,
  );
  const total = toCount(row?.total);
  const { offset, limit, backwards } = fromNearerEnd(
    { offset: offsetOf(query), limit: query.per_page },
    total,
  );
  if (limit === 0) return new GroupsPage([], total, query);
  const order = backwards ? 'DESC' : 'ASC';
  const rows = await em.query<VersionedGroup[]>(
    `SELECT ${COLUMNS}, ${VERSION} FROM (
       SELECT g.id FROM device_groups g ${where} ORDER BY g.sort_order ${order}, g.id ${order} LIMIT ? OFFSET ?
     ) k JOIN device_groups g ON g.id = k.id ORDER BY g.sort_order, g.id`,
    [...parameters, limit, offset],
  );
  return rows[0]?.version === row?.version ? new GroupsPage(rows.map(toGroup), total, query) : undefined;
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
export async function groupDetail(
  em: EntityManager,
  id: number,
): Promise<DeviceGroupDetailResponse | undefined> {
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
    device_count: toCount(device_count),
    child_count: toCount(child_count),
    path: await ancestors(em, path),
  };
}

/** MySQL counts in text. */
type GroupRow = DeviceGroupResponse & {
  path: string;
  device_count: RawCount;
  child_count: RawCount;
};

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
