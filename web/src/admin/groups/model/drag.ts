import type { DeviceResponse } from '@callboard/client';
import { type GroupTree, isWithin, type Placement } from './group-tree';

/** The dragged items. */
export type Dragged =
  | { kind: 'groups'; ids: readonly number[] }
  | {
      kind: 'devices';
      devices: readonly DeviceResponse[];
      fromGroupId: number;
      /** Called after the devices were moved. */
      onMoved: () => void;
    };

/** Current drag operation. Kept here because browsers do not expose the dragged data before the drop. */
export interface Dragging {
  get: () => Dragged | null;
  set: (dragged: Dragged | null) => void;
}

export const DROP_POSITIONS = ['before', 'into', 'after'] as const;
export type DropPosition = (typeof DROP_POSITIONS)[number];

/** Drop target. */
export interface DropTarget {
  id: number;
  position: DropPosition;
}

/** Fraction of a row's height, at its upper and lower edge, where a drop inserts beside the group. */
const EDGE = 0.25;

/** Returns the drop position for a pointer at height `y` of a row. Devices can only be dropped into groups. */
export function dropPositionAt(
  y: number,
  row: { top: number; height: number },
  kind: Dragged['kind'],
): DropPosition {
  if (kind === 'devices') return 'into';
  const share = (y - row.top) / row.height;
  if (share < EDGE) return 'before';
  return share > 1 - EDGE ? 'after' : 'into';
}

/**
 * Whether the drop is allowed. A group cannot be dropped into or beside itself or its descendants, nor a device into
 * the group from which it is dragged.
 */
export function canDrop(tree: GroupTree, dragged: Dragged, { id }: DropTarget): boolean {
  if (dragged.kind === 'devices') return id !== dragged.fromGroupId;
  return tree.groups.has(id) && !isWithin(tree, id, new Set(dragged.ids));
}

/** Converts a drop to a placement. */
export function toPlacement(
  tree: GroupTree,
  ids: readonly number[],
  { id, position }: DropTarget,
): Placement {
  if (position === 'into') return { ids, parentId: id };
  const parentId = tree.groups.get(id)?.parent_id ?? null;
  return { ids, parentId, ...(position === 'before' ? { beforeId: id } : { afterId: id }) };
}
