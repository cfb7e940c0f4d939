import type { DeviceGroupNodeResponse } from '@callboard/client';

export type Group = Omit<DeviceGroupNodeResponse, 'children'>;

/** Stands for the top level wherever a group id is expected. */
export const ROOT = 0;

/** All groups and their order. Immutable: changes create a new tree. */
export interface GroupTree {
  groups: ReadonlyMap<number, Group>;
  /** Ids of the children by the id of the parent or `TOP`. Leaves have no entry. */
  children: ReadonlyMap<number, readonly number[]>;
}

/** Where groups are moved: before or after a sibling, or last in the parent. */
export interface Placement {
  ids: readonly number[];
  /** null stands for the top level. */
  parentId: number | null;
  beforeId?: number;
  afterId?: number;
}

const NONE: readonly number[] = [];

/** Converts the service's tree to maps by id. */
export function buildGroupTree(nodes: readonly DeviceGroupNodeResponse[]): GroupTree {
  const groups = new Map<number, Group>();
  const children = new Map<number, readonly number[]>();
  const add = (parentId: number, siblings: readonly DeviceGroupNodeResponse[]): void => {
    if (siblings.length > 0)
      children.set(
        parentId,
        siblings.map(({ id }) => id),
      );
    for (const { children: below, ...group } of siblings) {
      groups.set(group.id, group);
      add(group.id, below);
    }
  };
  add(ROOT, nodes);
  return { groups, children };
}

export const childrenOf = ({ children }: GroupTree, id: number | null): readonly number[] =>
  children.get(id ?? ROOT) ?? NONE;

/** Returns the ancestors of a group, from the root. */
export function pathOf({ groups }: GroupTree, id: number): Group[] {
  const above: Group[] = [];
  let parent = groups.get(groups.get(id)?.parent_id ?? ROOT);
  while (parent !== undefined) {
    above.unshift(parent);
    parent = groups.get(parent.parent_id ?? ROOT);
  }
  return above;
}

/** Returns the full path (`A / B / C`), because names are not unique. */
export const placeName = (tree: GroupTree, id: number): string =>
  [...pathOf(tree, id), tree.groups.get(id)].map((group) => group?.name ?? '').join(' / ');

/** Whether a group is one of the given groups or a descendant of one. */
export function isWithin(tree: GroupTree, id: number, others: ReadonlySet<number>): boolean {
  return others.has(id) || pathOf(tree, id).some((above) => others.has(above.id));
}

/** Returns the groups without an ancestor in the list: descendants move with their ancestors. */
export function withoutDescendants(tree: GroupTree, ids: readonly number[]): number[] {
  const idSet = new Set(ids);
  return ids.filter((id) => tree.groups.has(id) && !pathOf(tree, id).some((above) => idSet.has(above.id)));
}

/**
 * Returns the tree after a move. Deleted groups are ignored; if the sibling was deleted, the groups are placed last.
 */
export function applyMove(tree: GroupTree, { ids, parentId, beforeId, afterId }: Placement): GroupTree {
  const going = ids.filter((id) => tree.groups.has(id));
  const isThere = parentId === null || tree.groups.has(parentId);
  if (!isThere || (parentId !== null && isWithin(tree, parentId, new Set(going)))) return tree;
  const [groups, children] = [new Map(tree.groups), new Map(tree.children)];
  const leaving = new Set(going);
  for (const id of going) {
    const group = groups.get(id);
    if (group === undefined) continue;
    const from = group.parent_id ?? ROOT;
    children.set(
      from,
      (children.get(from) ?? NONE).filter((sibling) => !leaving.has(sibling)),
    );
    groups.set(id, { ...group, parent_id: parentId });
  }
  const staying = children.get(parentId ?? ROOT) ?? NONE;
  children.set(parentId ?? ROOT, staying.toSpliced(indexBeside(staying, beforeId, afterId), 0, ...going));
  return { groups, children };
}

function indexBeside(siblings: readonly number[], beforeId?: number, afterId?: number): number {
  const at = siblings.indexOf(beforeId ?? afterId ?? ROOT);
  if (at < 0) return siblings.length;
  return beforeId === undefined ? at + 1 : at;
}
