import { type DragEvent, useRef, useState } from 'react';
import { canDrop, type Dragged, type Dragging, dropPositionAt, type DropTarget } from '../model/drag';
import { childrenOf, type GroupTree } from '../model/group-tree';

/** Time for which the pointer has to stay above a collapsed group to expand it. */
const OPENS_AFTER_MS = 600;

interface Options {
  tree: GroupTree;
  /** Drag operation in progress on this screen. */
  dragging: Dragging;
  /** Returns the groups that are dragged with a row: the whole selection, if the row is part of it. */
  take: (id: number) => readonly number[];
  isExpanded: (id: number) => boolean;
  expand: (id: number) => void;
  onDrop: (dragged: Dragged, target: DropTarget) => void;
  /** Label next to the pointer: `3 groups`. */
  describe: (count: number) => string;
}

/**
 * Dragging by pointer: the upper and lower quarter of a row insert beside the group, the middle half into it. The tree
 * library's own implementation has no target after an expanded group, and derives the level from the pointer's distance
 * to the left.
 */
export function useTreeDrag({ tree, dragging, take, isExpanded, expand, onDrop, describe }: Options) {
  const [target, setTarget] = useState<DropTarget | null>(null);
  const over = useRef<DropTarget | null>(null);
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined);

  const aim = (next: DropTarget | null): void => {
    if (next?.id === over.current?.id && next?.position === over.current?.position) return;
    over.current = next;
    setTarget(next);
    clearTimeout(opening.current);
    if (next?.position !== 'into' || isExpanded(next.id) || childrenOf(tree, next.id).length === 0) return;
    opening.current = setTimeout(() => expand(next.id), OPENS_AFTER_MS);
  };
  const end = (): void => {
    aim(null);
    dragging.set(null);
  };

  const handlers = {
    onDragStart: (event: DragEvent<HTMLElement>) => {
      const row = rowOf(event.target);
      if (row === null) return;
      const ids = take(row.id);
      dragging.set({ kind: 'groups', ids });
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', describe(ids.length));
      if (ids.length > 1) showBesidePointer(event, describe(ids.length));
    },
    onDragOver: (event: DragEvent<HTMLElement>) => {
      const [row, what] = [rowOf(event.target), dragging.get()];
      if (row === null || what === null) return aim(null);
      const next = {
        id: row.id,
        position: dropPositionAt(event.clientY, row.element.getBoundingClientRect(), what.kind),
      };
      if (!canDrop(tree, what, next)) return aim(null);
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
      return aim(next);
    },
    onDragLeave: (event: DragEvent<HTMLElement>) => {
      const to = event.relatedTarget;
      if (!(to instanceof Node) || !event.currentTarget.contains(to)) aim(null);
    },
    onDrop: (event: DragEvent<HTMLElement>) => {
      event.preventDefault();
      const [what, where] = [dragging.get(), over.current];
      end();
      if (what !== null && where !== null) onDrop(what, where);
    },
    onDragEnd: end,
  };
  return { target, handlers };
}

/** Returns the tree row that contains an element. */
export function rowOf(element: EventTarget | null): { element: HTMLElement; id: number } | null {
  const row = element instanceof Element ? element.closest<HTMLElement>('[data-group]') : null;
  return row === null ? null : { element: row, id: Number(row.dataset.group) };
}

/** Shows a text next to the pointer. The browser captures the element before the next frame. */
export function showBesidePointer(event: DragEvent, text: string): void {
  const label = document.createElement('div');
  label.className = 'drag-label';
  label.textContent = text;
  document.body.append(label);
  event.dataTransfer.setDragImage(label, -12, -4);
  requestAnimationFrame(() => label.remove());
}
