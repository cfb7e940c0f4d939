import { childrenOf, type GroupTree, type Placement } from './group-tree';

/**
 * Returns the placements that restore the positions that groups have in this tree. They must be executed in this order.
 */
export function wayBack(tree: GroupTree, ids: readonly number[]): Placement[] {
  const leaving = new Set(ids);
  const parents = new Set(ids.map((id) => tree.groups.get(id)?.parent_id ?? null));
  return [...parents].flatMap((parentId) => runsAmong(childrenOf(tree, parentId), leaving, parentId));
}

/** Groups adjacent moved siblings into runs. Each run is restored after the preceding sibling that was not moved. */
function runsAmong(
  siblings: readonly number[],
  leaving: ReadonlySet<number>,
  parentId: number | null,
): Placement[] {
  const placements: { ids: number[]; parentId: number | null; beforeId?: number; afterId?: number }[] = [];
  const firstStaying = siblings.find((id) => !leaving.has(id));
  let before: number | undefined;
  let isInRun = false;
  for (const id of siblings) {
    if (leaving.has(id)) {
      if (isInRun) placements.at(-1)?.ids.push(id);
      else placements.push({ ids: [id], parentId, ...neighbourOf(before, firstStaying) });
    }
    isInRun = leaving.has(id);
    if (!isInRun) before = id;
  }
  return placements;
}

const neighbourOf = (afterId?: number, beforeId?: number): { beforeId?: number; afterId?: number } => {
  if (afterId !== undefined) return { afterId };
  return beforeId === undefined ? {} : { beforeId };
};
