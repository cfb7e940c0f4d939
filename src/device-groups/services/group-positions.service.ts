import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../../audit/recording/record-audit';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { Transactions } from '../../database/transactions';
import { childrenOf, groupDetail, setSortOrders } from '../store/device-groups.store';
import type { MoveDeviceGroupsRequest, PositionRequest } from '../dto/device-group-requests.dto';
import type { DeviceGroupDetailResponse } from '../dto/device-group.dto';
import type { DeviceGroupEntity } from '../entities/device-group.entity';
import { isInSubtree } from '../rules/group-path.rules';
import { type Neighbour, rearranged, type Sibling } from '../rules/siblings.rules';
import { beginTreeChange, existing, groupById, groupsByIds, moveGroup } from '../store/tree-changes.store';

/**
 * Positions of groups in the tree. Each drag and drop is one transaction; concurrent ones wait for it (API 11.4).
 */
@Injectable()
export class GroupPositionsService {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Puts a group next to another one, or last, and renumbers its siblings in steps of 10.
   * @throws {BusinessError} DEVICE_GROUP_NOT_FOUND; VALIDATION for two neighbours, an unknown parent, a cycle, an
   *   eleventh level, a neighbour that is not another child of the parent
   */
  async place(id: number, { parent_id, ...neighbour }: PositionRequest): Promise<DeviceGroupDetailResponse> {
    requireAtMostOneNeighbour(neighbour);
    return this.transactions.run(async (em) => {
      await beginTreeChange(em);
      const group = await groupById(em, id);
      const parentId = parent_id === undefined ? group.parent_id : parent_id;
      if (parentId !== group.parent_id) await moveGroup(em, group, parentId);
      const changed = await arrange(em, parentId, [id], neighbour);
      const sort_order = changed.find((sibling) => sibling.id === id)?.sort_order ?? group.sort_order;
      const renumbered = changed.filter((sibling) => sibling.id !== id).length;
      recordAudit(em, {
        object_id: id,
        before: { parent_id: group.parent_id, sort_order: group.sort_order, renumbered: 0 },
        after: { parent_id: parentId, sort_order, renumbered },
      });
      return existing(await groupDetail(em, id));
    });
  }

  /**
   * Moves several groups with their subtrees next to one another, in the given order, all or none.
   * @returns number of the groups whose parent or sort order has changed
   * @throws {BusinessError} VALIDATION for unknown groups, for a group below another one, as for `place`, and when
   *   `parent_id` is left out although the groups have different parents
   */
  async move({ group_ids, parent_id, ...neighbour }: MoveDeviceGroupsRequest): Promise<number> {
    requireAtMostOneNeighbour(neighbour);
    return this.transactions.run(async (em) => {
      await beginTreeChange(em);
      const groups = await requireGroups(em, group_ids);
      const parents = new Set(groups.map((group) => group.parent_id));
      const [parentId] = parent_id === undefined ? parents : [parent_id];
      if (parentId === undefined || (parent_id === undefined && parents.size > 1))
        throw invalidField('parent_id', 'required');
      const moving = groups.filter((group) => group.parent_id !== parentId);
      for (const group of moving) await moveGroup(em, group, parentId);
      const renumbered = await arrange(em, parentId, group_ids, neighbour);
      const changed = new Set([...moving, ...renumbered].map(({ id }) => id));
      const affected = group_ids.filter((id) => changed.has(id)).length;
      if (changed.size > 0)
        recordAudit(em, {
          object_id: null,
          before: null,
          after: { affected, group_ids, parent_id: parentId },
        });
      return affected;
    });
  }
}

/** @throws {BusinessError} VALIDATION */
function requireAtMostOneNeighbour({ before_id, after_id }: Neighbour): void {
  if (before_id !== undefined && after_id !== undefined) throw invalidField('after_id', 'invalid');
}

/**
 * Returns the groups with these ids, in this order.
 * @throws {BusinessError} VALIDATION `分组不存在: 7, 9`, or when one is below another, because its target would be
 *   ambiguous
 */
async function requireGroups(em: EntityManager, ids: number[]): Promise<DeviceGroupEntity[]> {
  const rows = await groupsByIds(em, ids);
  const byId = new Map(rows.map((group) => [group.id, group]));
  const unknown = ids.filter((id) => !byId.has(id));
  if (unknown.length > 0)
    throw new BusinessError('VALIDATION', { message: (catalogue) => catalogue.unknownGroups(unknown) });
  // Sorted by path, the groups below a group follow it directly.
  const paths = rows.map(({ path }) => path).toSorted();
  if (paths.some((path, index) => index > 0 && isInSubtree(path, paths[index - 1] ?? '')))
    throw invalidField('group_ids', 'invalid');
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Reorders the children of a group. Returns those whose sort order has changed.
 * @throws {BusinessError} VALIDATION when the neighbour is not one of the other children
 */
async function arrange(
  em: EntityManager,
  parentId: number | null,
  ids: readonly number[],
  neighbour: Neighbour,
): Promise<Sibling[]> {
  const changed = rearranged(await childrenOf(em, parentId), ids, neighbour);
  if (changed === undefined)
    throw invalidField(neighbour.before_id === undefined ? 'after_id' : 'before_id', 'invalid');
  await setSortOrders(em, changed);
  return changed;
}
