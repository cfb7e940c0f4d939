/*
 * Device counts of the groups of the tree, each by itself and with its subtree. A device in several groups of a subtree
 * counts once in it. Pure.
 */

/** Number of devices directly in a group. */
export interface DirectCount {
  path: string;
  count: number;
}

/** One group of a device that is in several. */
export interface SharedDevice {
  device_id: number;
  path: string;
}

/** Device counts of a group: directly in it, and in its whole subtree. */
export interface BranchCount {
  id: number;
  device_count: number;
  total_device_count: number;
}

/**
 * Returns the counts of the groups with devices, ordered by id. Adds up along the paths, then subtracts duplicates: of
 * the groups of a device, sorted by path, each next one counts the device again in the groups that its path has in
 * common with the path before.
 */
export function branchCounts(direct: readonly DirectCount[], shared: readonly SharedDevice[]): BranchCount[] {
  const counts = new Map<number, BranchCount>();
  const countOf = (id: number): BranchCount => {
    const entry = counts.get(id) ?? { id, device_count: 0, total_device_count: 0 };
    counts.set(id, entry);
    return entry;
  };
  for (const { path, count } of direct) {
    const ids = idsAlong(path);
    countOf(ids.at(-1) ?? 0).device_count += count;
    for (const id of ids) countOf(id).total_device_count += count;
  }
  for (const places of Map.groupBy(shared, ({ device_id }) => device_id).values()) {
    const paths = places.map(({ path }) => path).toSorted();
    for (const [index, path] of paths.entries()) {
      const previous = paths[index - 1];
      if (previous === undefined) continue;
      for (const id of idsAlong(commonPath(previous, path))) countOf(id).total_device_count -= 1;
    }
  }
  return [...counts.values()].toSorted((a, b) => a.id - b.id);
}

/** Returns the ids of the groups on a path, from the root to the group itself. */
const idsAlong = (path: string): number[] => path.split('/').slice(1, -1).map(Number);

/** Returns the path of the lowest group that two paths have in common; `/` without any. */
function commonPath(first: string, second: string): string {
  let end = 0;
  while (end < first.length && first[end] === second[end]) end += 1;
  return first.slice(0, first.lastIndexOf('/', end - 1) + 1);
}
