import { childrenOf, type GroupTree, type Placement } from './group-tree';

/**
 * Returns the placements that restore the positions that groups have in this tree. They must be executed in this order.
 */
export function inverseMove(tree: GroupTree, ids: readonly number[]): Placement[] {
  const movedIds = new Set(ids);
  const parents = new Set(ids.map((id) => tree.groups.get(id)?.parent_id ?? null));
  return [...parents].flatMap((parentId) => placementsOfRuns(childrenOf(tree, parentId), movedIds, parentId));
}

/** Groups adjacent moved siblings into runs. Each run is restored after the preceding sibling that was not moved. */
function placementsOfRuns(
  siblings: readonly number[],
  movedIds: ReadonlySet<number>,
  parentId: number | null,
): Placement[] {
  const placements: { ids: number[]; parentId: number | null; beforeId?: number; afterId?: number }[] = [];
  const firstUnmoved = siblings.find((id) => !movedIds.has(id));
  let previousUnmoved: number | undefined;
  let isInRun = false;
  for (const id of siblings) {
    if (movedIds.has(id)) {
      if (isInRun) placements.at(-1)?.ids.push(id);
      else placements.push({ ids: [id], parentId, ...neighbourOf(previousUnmoved, firstUnmoved) });
    }
    isInRun = movedIds.has(id);
    if (!isInRun) previousUnmoved = id;
  }
  return placements;
}

const neighbourOf = (afterId?: number, beforeId?: number): { beforeId?: number; afterId?: number } => {
  if (afterId !== undefined) return { afterId };
  return beforeId === undefined ? {} : { beforeId };
};
