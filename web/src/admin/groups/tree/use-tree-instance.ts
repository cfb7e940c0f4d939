import {
  buildProxiedInstance,
  type FeatureImplementation,
  hotkeysCoreFeature,
  selectionFeature,
  syncDataLoaderFeature,
  type TreeInstance,
} from '@headless-tree/core';
import { useTree } from '@headless-tree/react';
import { useLayoutEffect, useState } from 'react';
import { childrenOf, type Group, type GroupTree, ROOT } from '../model/group-tree';

/** Placeholder for a deleted group until the instance is rebuilt. */
const GONE: Group = { id: ROOT, name: '', description: '', parent_id: null, sort_order: 0, status: 1 };

/** Request to move the browser's focus to the focused row once that is rendered. */
export interface FocusWish {
  want: () => void;
  /** Returns whether focus was requested, and clears the request. */
  take: () => boolean;
}

function focusWish(): FocusWish {
  let isWanted = false;
  return {
    want: () => {
      isWanted = true;
    },
    take: () => {
      const was = isWanted;
      isWanted = false;
      return was;
    },
  };
}

interface Options {
  label: string;
  expanded: string[];
  setExpanded: (ids: string[]) => void;
}

/** The tree library's instance: rows, selection, and keyboard navigation. */
export function useTreeInstance(
  tree: GroupTree,
  { label, expanded, setExpanded }: Options,
): { instance: TreeInstance<Group>; focus: FocusWish } {
  const [focus] = useState(focusWish);
  const [features] = useState(() => [
    syncDataLoaderFeature,
    selectionFeature,
    hotkeysCoreFeature,
    focusLater(focus),
  ]);
  const instance = useTree<Group>({
    rootItemId: String(ROOT),
    getItemName: () => label,
    isItemFolder: (item) => childrenOf(tree, Number(item.getId())).length > 0,
    dataLoader: {
      getItem: (id) => tree.groups.get(Number(id)) ?? GONE,
      getChildren: (id) => childrenOf(tree, Number(id)).map(String),
    },
    features,
    // Ten thousand rows with forty functions each would need 60 MB.
    instanceBuilder: buildProxiedInstance,
    state: { expandedItems: expanded },
    setExpandedItems: (next) => setExpanded(typeof next === 'function' ? next(expanded) : next),
  });
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the instance does not notice changes of its data
  useLayoutEffect(() => instance.rebuildTree(), [instance, tree]);
  return { instance, focus };
}

/**
 * Postpones focus changes: a distant row is not in the document yet, so the component that renders the rows focuses it.
 */
const focusLater = (focus: FocusWish): FeatureImplementation<Group> => ({
  key: 'focus-later',
  overwrites: ['main', 'tree'],
  treeInstance: {
    updateDomFocus: focus.want,
  },
});
