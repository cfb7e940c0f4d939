import { childrenOf, type GroupTree, pathOf, TOP } from './group-tree';

/**
 * Folds case as the service does when it compares names (src/common/fold-case.ts): in every script, and keeping
 * accents.
 */
export const folded = (text: string): string =>
  text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');

export interface Found {
  /** The matching groups with their ancestors. */
  tree: GroupTree;
  /** Number of matches. */
  matches: number;
  /** Groups that have a match among their descendants. */
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
 * Returns the first groups whose names match, for a picker, without the excluded ones. Exact matches come first, then
 * prefix matches: among ten thousand groups, a short name is part of many others.
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
