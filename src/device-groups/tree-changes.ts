import type { EntityManager } from 'typeorm';
import { BusinessError } from '../common/errors/business-error';
import type { Saying } from '../common/words/words';
import { foldCase } from '../common/fold-case';
import { lockingRows } from '../database/dialect';
import { insertRows } from '../database/rows';
import { DeviceGroupTreeEntity, THE_TREE } from './entities/device-group-tree.entity';
import { DeviceGroupEntity } from './entities/device-group.entity';
import { isWithin, type Place, placeBelow, ROOT, subtreeRange } from './rules/group-path';
import { ENABLED, MAX_DEPTH } from './limits';

/*
 * The steps from which changes to the tree are made, each within a transaction that has called `beginTreeChange`.
 * What they find out about the tree then stays true until the commit.
 */

const refuse = (message: Saying): BusinessError => new BusinessError('VALIDATION', { message });

/**
 * Must come first: raises the version of the tree, and thereby waits until every other change to it is over. On
 * MySQL the transaction's later reads see what those have committed (READ COMMITTED).
 */
export async function beginTreeChange(em: EntityManager): Promise<void> {
  await em.increment(DeviceGroupTreeEntity, { id: THE_TREE }, 'version', 1);
}

/** The group that was looked for. @throws {BusinessError} DEVICE_GROUP_NOT_FOUND when there is none */
export async function existing<T>(group: Promise<T | null | undefined>): Promise<T> {
  const found = await group;
  if (found === null || found === undefined) throw new BusinessError('DEVICE_GROUP_NOT_FOUND');
  return found;
}

/** Waits until every change to the tree is over, and lets no other begin before the end of the transaction. */
export async function holdTree(em: EntityManager): Promise<void> {
  await lockingRows(em.createQueryBuilder(DeviceGroupTreeEntity, 't').where({ id: THE_TREE })).getOne();
}

/** What a new group is made from. */
export interface NewGroup {
  name: string;
  description?: string;
  parent_id?: number | null;
  sort_order: number;
}

/**
 * Inserts a group and answers its id.
 * @throws {BusinessError} VALIDATION when the parent does not exist, or the group would be too deep (contract 4)
 */
export async function insertGroup(em: EntityManager, group: NewGroup): Promise<number> {
  const { name, description = '', parent_id = null, sort_order } = group;
  const parent = await placeOf(em, parent_id);
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
  // The key holds the group's own id, which only the insert could tell.
  await em.update(DeviceGroupEntity, { id }, { path: placeBelow(parent, id).path });
  return id;
}

/**
 * Moves a group, with everything below it, into another one, or with null to the top.
 * @throws {BusinessError} VALIDATION when the parent does not exist, is the group itself or below it, or when the
 * deepest group moved would be too deep (contract 4)
 */
export async function moveGroup(
  em: EntityManager,
  group: DeviceGroupEntity,
  parentId: number | null,
): Promise<void> {
  const parent = await placeOf(em, parentId);
  if (isWithin(parent.path, group.path)) throw refuse('不能移动到自身或下级分组');
  const { from, to } = subtreeRange(group.path);
  const deepest = await em
    .createQueryBuilder(DeviceGroupEntity, 'g')
    .select('MAX(g.depth)', 'depth')
    .where('g.path >= :from AND g.path < :to', { from, to })
    .getRawOne<{ depth: number }>();
  const place = placeBelow(parent, group.id);
  const levels = place.depth - group.depth;
  requireDepth((deepest?.depth ?? group.depth) + levels);
  await em.update(DeviceGroupEntity, { id: group.id }, { parent_id: parentId });
  await em
    .createQueryBuilder()
    .update(DeviceGroupEntity)
    .set({ path: () => 'CONCAT(:place, SUBSTR(path, :rest))', depth: () => 'depth + :levels' })
    .where('path >= :from AND path < :to', { from, to })
    .setParameters({ place: place.path, rest: group.path.length + 1, levels })
    .execute();
}

async function placeOf(em: EntityManager, id: number | null): Promise<Place> {
  if (id === null) return ROOT;
  const group = await em.findOne(DeviceGroupEntity, { select: { path: true, depth: true }, where: { id } });
  if (group === null) throw refuse('上级分组不存在');
  return group;
}

function requireDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw refuse((words) => words.tooDeep(MAX_DEPTH));
}
