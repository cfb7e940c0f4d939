import { useState } from 'react';
import { canDrop, type Dragged, DROP_POSITIONS, type DropTarget } from '../model/drag';
import type { GroupTree } from '../model/group-tree';

/** The picked-up groups and their current target. */
export interface KeyboardDrag {
  dragged: Dragged & { kind: 'groups' };
  target: DropTarget;
}

interface Options {
  tree: GroupTree;
  /** Ids of the rows in order. */
  rows: () => readonly number[];
  onDrop: (dragged: Dragged, target: DropTarget) => void;
}

/** Dragging by keyboard (WCAG 2.1.1, 2.5.7): pick up, move between targets with the arrow keys, drop or cancel. */
export function useKeyboardDrag({ tree, rows, onDrop }: Options) {
  const [drag, setDrag] = useState<KeyboardDrag | null>(null);

  /** Returns the next allowed target in the order before, into, after of each row. */
  const findTarget = (
    dragged: KeyboardDrag['dragged'],
    from: number,
    step: number,
  ): DropTarget | undefined => {
    const ids = rows();
    for (let at = from + step; at >= 0 && at < ids.length * DROP_POSITIONS.length; at += step) {
      const id = ids[Math.floor(at / DROP_POSITIONS.length)];
      const position = DROP_POSITIONS[at % DROP_POSITIONS.length];
      if (id === undefined || position === undefined) return undefined;
      const target = { id, position };
      if (canDrop(tree, dragged, target)) return target;
    }
    return undefined;
  };
  const indexOf = ({ id, position }: DropTarget): number =>
    rows().indexOf(id) * DROP_POSITIONS.length + DROP_POSITIONS.indexOf(position);

  return {
    drag,
    pickUp: (ids: readonly number[]) => {
      const [first] = ids;
      if (first === undefined) return;
      const dragged = { kind: 'groups', ids } as const;
      const from = indexOf({ id: first, position: 'into' });
      const target = findTarget(dragged, from, 1) ?? findTarget(dragged, from, -1);
      if (target !== undefined) setDrag({ dragged, target });
    },
    /** Moves to the next target and returns it. */
    moveTarget: (step: 1 | -1): DropTarget | undefined => {
      if (drag === null) return undefined;
      const target = findTarget(drag.dragged, indexOf(drag.target), step) ?? drag.target;
      setDrag({ ...drag, target });
      return target;
    },
    drop: () => {
      if (drag !== null) onDrop(drag.dragged, drag.target);
      setDrag(null);
    },
    cancel: () => setDrag(null),
  };
}
