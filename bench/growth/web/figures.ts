import type { Row } from '../measure';

/** Returns the quantile `share` of the values. */
export function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** A measurement with an upper limit. */
export const atMost = (what: string, value: number, unit: Row['unit'], limit: number): Row => ({
  what,
  value,
  unit,
  target: `≤ ${limit}`,
  met: value <= limit,
});

/** Repeats a measurement `count` times, one after another. */
export async function times(count: number, measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let index = 0; index < count; index += 1) values.push(await measure());
  return values;
}
