import type { EntityManager } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import type { LocalizedMessage } from '../../common/i18n/catalogue';
import { foldCase } from '../../common/fold-case';
import { deleteRows, findRows, insertRows, lockRows, updateRows } from '../../database/sql/statements';
import type { CreateDeviceGroupRequest } from '../dto/device-group-requests.dto';
import { DeviceGroupTreeEntity, THE_TREE } from '../entities/device-group-tree.entity';
import { DeviceGroupEntity } from '../entities/device-group.entity';
import { DeviceMembershipEntity } from '../entities/device-membership.entity';
import { isInSubtree, type GroupPosition, placeBelow, ROOT, subtreeRange } from '../rules/group-path.rules';
import { ENABLED, MAX_DEPTH } from '../limits';

/*
 * Steps of changes to the tree. Their transaction has called `beginTreeChange`, so the tree that they read does not
 * change before the commit.
 */

const validationError = (message: LocalizedMessage): BusinessError =>
  new BusinessError('VALIDATION', { message });

/**
 * Raises the version of the tree, and thereby locks its row: changes to the tree run one at a time. Must be the first
 * statement. On MySQL the later reads of the transaction see the committed changes of the earlier ones (READ
 * COMMITTED).
 */
export async function beginTreeChange(em: EntityManager): Promise<void> {
  await em.increment(DeviceGroupTreeEntity, { id: THE_TREE }, 'version', 1);
}

/** Returns the group that was queried. @throws {BusinessError} DEVICE_GROUP_NOT_FOUND when there is none */
export function existing<T>(group: T | undefined): T {
  if (group === undefined) throw new BusinessError('DEVICE_GROUP_NOT_FOUND');
  return group;
}

/** Returns the groups with these ids, in no particular order. Unknown ids are left out. */
export const groupsByIds = (em: EntityManager, ids: readonly number[]): Promise<DeviceGroupEntity[]> =>
  findRows(em, DeviceGroupEntity, { id: ids });

/** @throws {BusinessError} DEVICE_GROUP_NOT_FOUND */
export async function groupById(em: EntityManager, id: number): Promise<DeviceGroupEntity> {
  const [group] = await groupsByIds(em, [id]);
  return existing(group);
}

/** Locks the tree: waits for running changes to it, and blocks new ones until the end of the transaction. */
export async function lockTree(em: EntityManager): Promise<void> {
  await lockRows(em, DeviceGroupTreeEntity, { id: THE_TREE });
}

/**
 * Inserts a group and returns its id.
 * @throws {BusinessError} VALIDATION when the parent does not exist, or the group would exceed `MAX_DEPTH` (API 11.3)
 */
export async function insertGroup(
  em: EntityManager,
  { name, description = '', parent_id = null, sort_order }: Omit<CreateDeviceGroupRequest, 'device_ids'>,
): Promise<number> {
  const parent = await requirePosition(em, parent_id);
  requireDepth(parent.depth + 1);
  const row = {
    name,
    name_search: foldCase(name),
    description,
    parent_id,
    path: '',
    depth: parent.depth + 1,
    sort_order,
    status: ENABLED,
  };
  const id = await insertRows(em, DeviceGroupEntity, [row]);
  // The path contains the id of the group, which is known only after the insert.
  await updateRows(em, DeviceGroupEntity, { id }, { path: placeBelow(parent, id).path });
  return id;
}

/**
 * Moves a group with its subtree into another group, or with null to the top.
 * @throws {BusinessError} VALIDATION when the parent does not exist, is the group itself or below it, or when the
 *   deepest moved group would exceed `MAX_DEPTH` (API 11.3)
 */
export async function moveGroup(
  em: EntityManager,
  group: DeviceGroupEntity,
  parentId: number | null,
): Promise<void> {
  const parent = await requirePosition(em, parentId);
  if (isInSubtree(parent.path, group.path)) throw validationError('groupIntoItself');
  const { from, to } = subtreeRange(group.path);
  const [deepest] = await em.query<{ depth: number | null }[]>(
    'SELECT MAX(depth) AS depth FROM device_groups WHERE path >= ? AND path < ?',
    [from, to],
  );
  const place = placeBelow(parent, group.id);
  const levels = place.depth - group.depth;
  requireDepth((deepest?.depth ?? group.depth) + levels);
  await updateRows(em, DeviceGroupEntity, { id: group.id }, { parent_id: parentId });
  await em.query(
    `UPDATE device_groups SET path = CONCAT(?, SUBSTR(path, ?)), depth = depth + ?
     WHERE path >= ? AND path < ?`,
    [place.path, group.path.length + 1, levels, from, to],
  );
}

/** Changes columns of a group that are not its position. */
export async function updateGroup(
  em: EntityManager,
  id: number,
  columns: Partial<DeviceGroupEntity>,
): Promise<void> {
  await updateRows(em, DeviceGroupEntity, { id }, columns);
}

/**
 * Deletes a locked group.
 * @throws {BusinessError} DEVICE_GROUP_HAS_SUBGROUPS, else DEVICE_GROUP_HAS_DEVICES
 */
export async function deleteGroup(em: EntityManager, id: number): Promise<void> {
  if (await em.existsBy(DeviceGroupEntity, { parent_id: id }))
    throw new BusinessError('DEVICE_GROUP_HAS_SUBGROUPS');
  if (await em.existsBy(DeviceMembershipEntity, { group_id: id }))
    throw new BusinessError('DEVICE_GROUP_HAS_DEVICES');
  await deleteRows(em, DeviceGroupEntity, { id });
}

/** Returns the position of a group, or `ROOT` for null. @throws {BusinessError} VALIDATION when it does not exist */
async function requirePosition(em: EntityManager, id: number | null): Promise<GroupPosition> {
  if (id === null) return ROOT;
  const [group] = await findRows(em, DeviceGroupEntity, { id }, ['path', 'depth']);
  if (group === undefined) throw validationError('parentGroupNotFound');
  return group;
}

function requireDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw validationError((catalogue) => catalogue.tooDeep(MAX_DEPTH));
}
