/* The places of groups among their siblings. Pure. */

/** Numbers are so far apart, so that a group can be put between two others by its `sort_order` alone. */
const STEP = 10;

/** A group and its place. */
export interface Sibling {
  id: number;
  sort_order: number;
}

/** Beside which group the others go: before it, or after it; without either they come last. */
export interface Neighbour {
  before_id?: number;
  after_id?: number;
}

/**
 * The new places of those whose place changes.
 * @param children all children of the group, in order, those that go to another place among them
 * @param moving the ids of these, in the order that they shall have
 * @returns undefined when the neighbour is none of the other children
 */
export function rearranged(
  children: readonly Sibling[],
  moving: readonly number[],
  { before_id, after_id }: Neighbour,
): Sibling[] | undefined {
  const goes = new Set(moving);
  const staying = children.map(({ id }) => id).filter((id) => !goes.has(id));
  const neighbour = before_id ?? after_id;
  const at = neighbour === undefined ? staying.length : staying.indexOf(neighbour);
  if (at < 0) return undefined;
  const order = staying.toSpliced(
    before_id === undefined && neighbour !== undefined ? at + 1 : at,
    0,
    ...moving,
  );
  const before = new Map(children.map(({ id, sort_order }) => [id, sort_order]));
  return order
    .map((id, index) => ({ id, sort_order: (index + 1) * STEP }))
    .filter(({ id, sort_order }) => before.get(id) !== sort_order);
}
