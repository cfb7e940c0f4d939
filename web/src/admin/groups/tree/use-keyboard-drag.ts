import { useState } from 'react';
import { canDrop, type Dragged, PLACES, type Target } from '../model/drag';
import type { GroupTree } from '../model/group-tree';

/** The picked-up groups and their current target. */
export interface Held {
  dragged: Dragged & { kind: 'groups' };
  target: Target;
}

interface Options {
  tree: GroupTree;
  /** Ids of the rows in order. */
  rows: () => readonly number[];
  onDrop: (dragged: Dragged, target: Target) => void;
}

/** Dragging by keyboard (WCAG 2.1.1, 2.5.7): pick up, move between targets with the arrow keys, drop or cancel. */
export function useKeyboardDrag({ tree, rows, onDrop }: Options) {
  const [held, setHeld] = useState<Held | null>(null);

  /** Returns the next allowed target in the order before, into, after of each row. */
  const seek = (dragged: Held['dragged'], from: number, step: number): Target | undefined => {
    const ids = rows();
    for (let at = from + step; at >= 0 && at < ids.length * PLACES.length; at += step) {
      const id = ids[Math.floor(at / PLACES.length)];
      const place = PLACES[at % PLACES.length];
      if (id === undefined || place === undefined) return undefined;
      const target = { id, place };
      if (canDrop(tree, dragged, target)) return target;
    }
    return undefined;
  };
  const indexOf = ({ id, place }: Target): number =>
    rows().indexOf(id) * PLACES.length + PLACES.indexOf(place);

  return {
    held,
    pickUp: (ids: readonly number[]) => {
      const [first] = ids;
      if (first === undefined) return;
      const dragged = { kind: 'groups', ids } as const;
      const from = indexOf({ id: first, place: 'into' });
      const target = seek(dragged, from, 1) ?? seek(dragged, from, -1);
      if (target !== undefined) setHeld({ dragged, target });
    },
    /** Moves to the next target and returns it. */
    take: (step: 1 | -1): Target | undefined => {
      if (held === null) return undefined;
      const target = seek(held.dragged, indexOf(held.target), step) ?? held.target;
      setHeld({ ...held, target });
      return target;
    },
    drop: () => {
      if (held !== null) onDrop(held.dragged, held.target);
      setHeld(null);
    },
    letGo: () => setHeld(null),
  };
}
