/*
 * Position of a group as a materialised path: `/3/14/15/` is group 15 in group 14 in group 3. Every subtree is one
 * range of such paths, because `/` ends each id and no other path sorts in between.
 */

/** Position in the tree: the path, and the level, counted from 1. */
export interface GroupPosition {
  path: string;
  depth: number;
}

/** Parent position of the top-level groups. */
export const ROOT: GroupPosition = { path: '/', depth: 0 };

/** Returns the position of group `id` directly below `parent`. */
export const placeBelow = (parent: GroupPosition, id: number): GroupPosition => ({
  path: `${parent.path}${id}/`,
  depth: parent.depth + 1,
});

/** Returns the range of the paths of a group and all groups below it: `from` inclusive, `to` exclusive. */
export const subtreeRange = (path: string): { from: string; to: string } => ({
  from: path,
  // '0' is the character after '/'.
  to: `${path.slice(0, -1)}0`,
});

/** Whether the group at `path` is the one at `ancestorPath` or below it. */
export const isInSubtree = (path: string, ancestorPath: string): boolean => path.startsWith(ancestorPath);

/** Returns the ids of the groups above the one at `path`, from the root. */
export const ancestorIds = (path: string): number[] => path.split('/').slice(1, -2).map(Number);
