import { type EntityManager, In } from 'typeorm';
import { ItemsPage, type PageRequest } from '../common/http/page';
import { type Device, toDevice } from './dto/device.dto';
import { DeviceEntity } from './entities/device.entity';
import { foldCase } from '../common/fold-case';
import { idPage } from './id-page';

/** `subtreeRange(top.path).to` in SQL. */
const AFTER_SUBTREE = "CONCAT(SUBSTR(top.path, 1, LENGTH(top.path) - 1), '0')";

/** Which devices are wanted; every part left out is no condition. */
export interface DeviceFilter {
  /** Part of the name or the serial number. */
  keyword?: string;
  status?: number;
  /** Directly in this group. */
  group_id?: number;
  /** In this group, or in any group below it. */
  subtree_of?: number;
  /** 1: in no group at all. */
  ungrouped?: number;
}

/** One page of devices by id (contract 4). A device in several of the groups asked for is there once. */
export async function devicesPage(
  em: EntityManager,
  { keyword, status, group_id, subtree_of, ungrouped }: DeviceFilter,
  request: PageRequest,
): Promise<ItemsPage<Device>> {
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
  if (subtree_of !== undefined) {
    // One statement finds the group's place and what is below it, so that no move comes in between.
    matching.andWhere(
      `d.id IN (SELECT m.device_id FROM device_groups top
        JOIN device_groups g ON g.path >= top.path AND g.path < ${AFTER_SUBTREE}
        JOIN device_memberships m ON m.group_id = g.id WHERE top.id = :subtree_of)`,
      { subtree_of },
    );
  }
  if (ungrouped === 1) {
    matching.andWhere('NOT EXISTS (SELECT 1 FROM device_memberships m WHERE m.device_id = d.id)');
  }

  const { ids, total } = await idPage(matching, ['id'], request);
  const rows =
    ids.length === 0 ? [] : await em.find(DeviceEntity, { where: { id: In(ids) }, order: { id: 'ASC' } });
  return new ItemsPage(rows.map(toDevice), total, request);
}
