/* Order of groups among their siblings. Pure. */

/** Gap between the numbers, so that a group can be put between two others by its `sort_order` alone. */
const STEP = 10;

/** A group and its position among its siblings. */
export interface Sibling {
  id: number;
  sort_order: number;
}

/** The sibling to come directly before or after; without either, the moving groups come last. */
export interface Neighbour {
  before_id?: number;
  after_id?: number;
}

/**
 * Returns the groups whose `sort_order` changes, with the new one.
 * @param children all children of the parent in order, including those that move
 * @param moving ids of the children that move, in their new order
 * @returns undefined when the neighbour is not one of the other children
 */
export function rearranged(
  children: readonly Sibling[],
  moving: readonly number[],
  { before_id, after_id }: Neighbour,
): Sibling[] | undefined {
  const movingIds = new Set(moving);
  const staying = children.map(({ id }) => id).filter((id) => !movingIds.has(id));
  const neighbour = before_id ?? after_id;
  const at = neighbour === undefined ? staying.length : staying.indexOf(neighbour);
  if (at < 0) return undefined;
  const order = staying.toSpliced(
    before_id === undefined && neighbour !== undefined ? at + 1 : at,
    0,
    ...moving,
  );
  const currentOrders = new Map(children.map(({ id, sort_order }) => [id, sort_order]));
  return order
    .map((id, index) => ({ id, sort_order: (index + 1) * STEP }))
    .filter(({ id, sort_order }) => currentOrders.get(id) !== sort_order);
}
