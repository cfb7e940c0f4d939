import { childrenOf, type GroupTree, pathOf, TOP } from './group-tree';

/** As the service compares names (src/common/fold-case.ts): without case in any script, with accents. */
export const folded = (text: string): string =>
  text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');

export interface Found {
  /** The groups whose names match, with all that they are in. */
  tree: GroupTree;
  /** How many match. */
  matches: number;
  /** Those that have a match below. */
  open: number[];
}

/** Finds groups by a part of their names. */
export function search(tree: GroupTree, keyword: string): Found {
  const wanted = folded(keyword);
  const hits = [...tree.groups.values()].filter(({ name }) => folded(name).includes(wanted));
  const above = new Set(hits.flatMap(({ id }) => pathOf(tree, id).map((group) => group.id)));
  const shown = new Set([...above, ...hits.map(({ id }) => id)]);
  const children = new Map<number, readonly number[]>();
  for (const id of [TOP, ...above])
    children.set(
      id,
      childrenOf(tree, id).filter((child) => shown.has(child)),
    );
  return { tree: { groups: tree.groups, children }, matches: hits.length, open: [...above] };
}

/**
 * The first groups whose names match, for a picker; all but those that are left out. Names that are what was typed come first,
 * then those that begin with it: among ten thousand, a short name is part of many.
 */
export function firstMatches(
  tree: GroupTree,
  keyword: string,
  isLeftOut: (id: number) => boolean,
  count = 20,
): number[] {
  const wanted = folded(keyword);
  const exact: number[] = [];
  const beginning: number[] = [];
  const within: number[] = [];
  for (const { id, name } of tree.groups.values()) {
    const at = folded(name).indexOf(wanted);
    if (at === -1 || isLeftOut(id)) continue;
    if (at > 0) within.push(id);
    else if (folded(name) === wanted) exact.push(id);
    else beginning.push(id);
  }
  return [...exact, ...beginning, ...within].slice(0, count);
}
