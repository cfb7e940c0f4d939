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
import { childrenOf, type Group, type GroupTree, TOP } from '../model/group-tree';

/** What the instance shows of a group that has just gone, until it is built anew. */
const GONE: Group = { id: TOP, name: '', description: '', parent_id: null, sort_order: 0, status: 1 };

/** That the row which has the focus in the tree shall get the browser's, when it is drawn. */
export interface FocusWish {
  want: () => void;
  /** Whether it was wanted; afterwards it is not any more. */
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

/** The tree's rows, which of them are selected, and the keys that walk through it. */
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
    rootItemId: String(TOP),
    getItemName: () => label,
    isItemFolder: (item) => childrenOf(tree, Number(item.getId())).length > 0,
    dataLoader: {
      getItem: (id) => tree.groups.get(Number(id)) ?? GONE,
      getChildren: (id) => childrenOf(tree, Number(id)).map(String),
    },
    features,
    // Ten thousand rows of forty functions each would be 60 MB.
    instanceBuilder: buildProxiedInstance,
    state: { expandedItems: expanded },
    setExpandedItems: (next) => setExpanded(typeof next === 'function' ? next(expanded) : next),
  });
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the instance does not see that its data have changed
  useLayoutEffect(() => instance.rebuildTree(), [instance, tree]);
  return { instance, focus };
}

/** A row far away is not in the document yet when it gets the focus: whoever draws the rows gives it then. */
const focusLater = (focus: FocusWish): FeatureImplementation<Group> => ({
  key: 'focus-later',
  overwrites: ['main', 'tree'],
  treeInstance: {
    updateDomFocus: focus.want,
  },
});
