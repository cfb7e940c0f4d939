/** Space above and below the line, so that its stroke is not cut off. */
const MARGIN = 2;

/** Returns the points of a line through the values, from 0 at the bottom to the highest value at the top, for an SVG. */
export function sparklineOf(values: readonly number[], width: number, height: number): string {
  const highest = Math.max(1, ...values);
  const step = width / Math.max(1, values.length - 1);
  const y = (value: number): number => height - MARGIN - (value / highest) * (height - 2 * MARGIN);
  return values.map((value, index) => `${(index * step).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
}

/** Returns the relative change, 0.5 for half more; undefined if there was nothing before. */
export const changeSince = (before: number, now: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before;
