/*
 * How many devices the groups of the tree have, each by itself and with everything below it. A device that is in several
 * groups of a branch counts once in it. Pure.
 */

/** A group with devices of its own. */
export interface DirectCount {
  path: string;
  count: number;
}

/** A place of a device that has several. */
export interface SharedDevice {
  device_id: number;
  path: string;
}

/** The devices of a group: directly in it, and in the whole branch. */
export interface BranchCount {
  id: number;
  device_count: number;
  total_device_count: number;
}

/**
 * The groups that have any devices, by id. Adds up along the paths, and then takes off what was counted twice: of a
 * device's places in the order of the tree, each next one meets the one before at a group in which, and above which, it
 * has been counted already.
 */
export function branchCounts(direct: readonly DirectCount[], shared: readonly SharedDevice[]): BranchCount[] {
  const counts = new Map<number, BranchCount>();
  const countOf = (id: number): BranchCount => {
    const known = counts.get(id) ?? { id, device_count: 0, total_device_count: 0 };
    counts.set(id, known);
    return known;
  };
  for (const { path, count } of direct) {
    const ids = idsAlong(path);
    countOf(ids.at(-1) ?? 0).device_count += count;
    for (const id of ids) countOf(id).total_device_count += count;
  }
  for (const places of Map.groupBy(shared, ({ device_id }) => device_id).values()) {
    const paths = places.map(({ path }) => path).toSorted();
    for (const [index, path] of paths.entries()) {
      const before = paths[index - 1];
      if (before === undefined) continue;
      for (const id of idsAlong(commonPath(before, path))) countOf(id).total_device_count -= 1;
    }
  }
  return [...counts.values()].toSorted((a, b) => a.id - b.id);
}

/** The ids of the groups on a path, from the root to the group itself. */
const idsAlong = (path: string): number[] => path.split('/').slice(1, -1).map(Number);

/** The path of the lowest group that two paths have in common; `/` when there is none. */
function commonPath(one: string, other: string): string {
  let end = 0;
  while (end < one.length && one[end] === other[end]) end += 1;
  return one.slice(0, one.lastIndexOf('/', end - 1) + 1);
}
