import type { DeviceResponse } from '@callboard/client';
import { type GroupTree, isWithin, type Placement } from './group-tree';

/** What is being dragged. */
export type Dragged =
  | { kind: 'groups'; ids: readonly number[] }
  | { kind: 'devices'; devices: readonly DeviceResponse[]; fromGroupId: number };

/** What is being dragged on the screen, if anything: browsers do not tell before the drop. */
export interface Dragging {
  get: () => Dragged | null;
  set: (dragged: Dragged | null) => void;
}

export const PLACES = ['before', 'into', 'after'] as const;
export type Place = (typeof PLACES)[number];

/** Where it would go. */
export interface Target {
  id: number;
  place: Place;
}

/** The share of a row's height at its upper and its lower edge where a drop goes beside the group. */
const EDGE = 0.25;

/** What a pointer at this height of a row means; devices go into groups alone. */
export function placeAt(y: number, row: { top: number; height: number }, kind: Dragged['kind']): Place {
  if (kind === 'devices') return 'into';
  const share = (y - row.top) / row.height;
  if (share < EDGE) return 'before';
  return share > 1 - EDGE ? 'after' : 'into';
}

/** Nothing goes into itself, or beside itself. */
export function canDrop(tree: GroupTree, dragged: Dragged, { id }: Target): boolean {
  if (dragged.kind === 'devices') return id !== dragged.fromGroupId;
  return tree.groups.has(id) && !isWithin(tree, id, new Set(dragged.ids));
}

/** The move that a drop means. */
export function placementOf(tree: GroupTree, ids: readonly number[], { id, place }: Target): Placement {
  if (place === 'into') return { ids, parentId: id };
  const parentId = tree.groups.get(id)?.parent_id ?? null;
  return { ids, parentId, ...(place === 'before' ? { beforeId: id } : { afterId: id }) };
}
