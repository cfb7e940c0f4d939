import { useCallback, useMemo, useState } from 'react';
import { childrenOf, type GroupTree, pathOf } from '../model/group-tree';
import type { SearchResult } from '../model/search';

/** Expanded groups: those that the user has expanded or, during a search, all ancestors of matches. */
export function useExpanded(tree: GroupTree, found: SearchResult | undefined) {
  const [opened, setOpened] = useState<string[]>([]);
  const [inSearch, setInSearch] = useState<{ found: SearchResult; ids: string[] }>();
  const ids = useMemo(() => {
    if (found === undefined) return opened;
    return inSearch?.found === found ? inSearch.ids : found.ancestorIds.map(String);
  }, [found, inSearch, opened]);
  const isExpanded = useMemo(() => {
    const set = new Set(ids);
    return (id: number) => set.has(String(id));
  }, [ids]);

  const set = useCallback(
    (next: string[]) => (found === undefined ? setOpened(next) : setInSearch({ found, ids: next })),
    [found],
  );
  return {
    ids,
    isExpanded,
    set,
    toggle: (id: number) =>
      set(isExpanded(id) ? ids.filter((each) => each !== String(id)) : [...ids, String(id)]),
    expandAll: () => set([...tree.groups.keys()].filter((id) => childrenOf(tree, id).length > 0).map(String)),
    collapseAll: () => set([]),
    /** Expands all ancestors of a group. */
    reveal: useCallback(
      (id: number) =>
        setOpened((before) => {
          const missing = pathOf(tree, id)
            .map((above) => String(above.id))
            .filter((above) => !before.includes(above));
          return missing.length === 0 ? before : [...before, ...missing];
        }),
      [tree],
    ),
  };
}

export type Expanded = ReturnType<typeof useExpanded>;
