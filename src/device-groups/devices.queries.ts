import { type EntityManager, In } from 'typeorm';
import { fromNearerEnd, ItemsPage, offsetOf, type PageRequest } from '../common/http/page';
import { type RawCount, toCount } from '../database/dialect';
import { foldCase } from '../common/fold-case';
import { type DeviceResponse, toDeviceResponse } from './dto/device.dto';
import { DeviceEntity } from './entities/device.entity';

/* Reads of devices, always by id (contract 4). `em` is a transaction's, or the one outside of any. */

/** Which devices are wanted; every part left out is no condition. */
export interface DeviceFilter {
  /** Part of the name or the serial number. */
  keyword?: string;
  status?: number;
  /** Directly in this group. */
  group_id?: number;
  /** 1: in no group at all. */
  ungrouped?: number;
}

/**
 * One page of the devices that the filter lets through. Only ids are passed over, which an index answers by itself, and
 * from the end that is nearer; the page's rows are read afterwards, by id. So the last page costs what the first does.
 */
export async function devicesPage(
  em: EntityManager,
  { keyword, status, group_id, ungrouped }: DeviceFilter,
  request: PageRequest,
): Promise<ItemsPage<DeviceResponse>> {
  const matching = em.createQueryBuilder(DeviceEntity, 'd');
  if (keyword !== undefined) {
    // INSTR knows no wildcards, so `%` and `_` are what they are.
    matching.andWhere('(INSTR(d.name_search, :part) > 0 OR INSTR(d.serial_no_search, :part) > 0)', {
      part: foldCase(keyword),
    });
  }
  if (status !== undefined) matching.andWhere('d.status = :status', { status });
  if (group_id !== undefined) {
    matching.andWhere('d.id IN (SELECT m.device_id FROM device_memberships m WHERE m.group_id = :group_id)', {
      group_id,
    });
  }
  if (ungrouped === 1) {
    matching.andWhere('NOT EXISTS (SELECT 1 FROM device_memberships m WHERE m.device_id = d.id)');
  }
  const total = await matching.getCount();
  const { offset, limit, backwards } = fromNearerEnd(
    { offset: offsetOf(request), limit: request.per_page },
    total,
  );
  if (limit === 0) return new ItemsPage([], total, request);
  const rows = await matching
    .select('d.id', 'id')
    .orderBy('d.id', backwards ? 'DESC' : 'ASC')
    .offset(offset)
    .limit(limit)
    .getRawMany<{ id: number }>();
  const ids = rows.map(({ id }) => id);
  return new ItemsPage(await devicesByIds(em, ids), total, request);
}

/** The memberships in one group. */
const IN_GROUP = 'FROM device_memberships m WHERE m.group_id = ?';

/**
 * The memberships in a group or below it: `subtreeRange` in SQL, so that one statement finds the group's place and
 * what is below it, and no move comes in between.
 */
const IN_SUBTREE = `FROM device_groups top
  JOIN device_groups g
    ON g.path >= top.path AND g.path < CONCAT(SUBSTR(top.path, 1, LENGTH(top.path) - 1), '0')
  JOIN device_memberships m ON m.group_id = g.id
  WHERE top.id = ?`;

/**
 * One page of the devices in a group, or with `recursive` in any group below it too, each once. Starts from the
 * memberships: asked the other way round, MariaDB looks at every device there is.
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

async function devicesByIds(em: EntityManager, ids: number[]): Promise<DeviceResponse[]> {
  if (ids.length === 0) return [];
  const rows = await em.find(DeviceEntity, { where: { id: In(ids) }, order: { id: 'ASC' } });
  return rows.map(toDeviceResponse);
}
