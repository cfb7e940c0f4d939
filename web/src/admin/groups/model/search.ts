import { foldCase } from '../../parts/fold-case';
import { childrenOf, type GroupTree, pathOf, ROOT } from './group-tree';

export interface SearchResult {
  /** The matching groups with their ancestors. */
  tree: GroupTree;
  /** Number of matches. */
  matches: number;
  /** Groups that have a match among their descendants. */
  ancestorIds: number[];
}

/** Finds groups by a part of their names. */
export function searchGroupTree(tree: GroupTree, keyword: string): SearchResult {
  const foldedKeyword = foldCase(keyword);
  const hits = [...tree.groups.values()].filter(({ name }) => foldCase(name).includes(foldedKeyword));
  const above = new Set(hits.flatMap(({ id }) => pathOf(tree, id).map((group) => group.id)));
  const shown = new Set([...above, ...hits.map(({ id }) => id)]);
  const children = new Map<number, readonly number[]>();
  for (const id of [ROOT, ...above])
    children.set(
      id,
      childrenOf(tree, id).filter((child) => shown.has(child)),
    );
  return { tree: { groups: tree.groups, children }, matches: hits.length, ancestorIds: [...above] };
}

/**
 * Returns the first groups whose names match, for a picker, without the excluded ones. Exact matches come first, then
 * prefix matches: among ten thousand groups, a short name is part of many others.
 */
export function firstMatches(
  tree: GroupTree,
  keyword: string,
  isExcluded: (id: number) => boolean,
  count = 20,
): number[] {
  const foldedKeyword = foldCase(keyword);
  const exactMatches: number[] = [];
  const prefixMatches: number[] = [];
  const otherMatches: number[] = [];
  for (const { id, name } of tree.groups.values()) {
    const at = foldCase(name).indexOf(foldedKeyword);
    if (at === -1 || isExcluded(id)) continue;
    if (at > 0) otherMatches.push(id);
    else if (foldCase(name) === foldedKeyword) exactMatches.push(id);
    else prefixMatches.push(id);
  }
  return [...exactMatches, ...prefixMatches, ...otherMatches].slice(0, count);
}
