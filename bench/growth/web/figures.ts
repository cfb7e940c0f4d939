import type { Row } from '../measure';

/** The value below which that share of some others is. */
export function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** A figure that shall not be above a limit. */
export const atMost = (what: string, value: number, unit: Row['unit'], limit: number): Row => ({
  what,
  value,
  unit,
  target: `≤ ${limit}`,
  met: value <= limit,
});

/** Several times the same, one after the other. */
export async function times(count: number, measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let index = 0; index < count; index += 1) values.push(await measure());
  return values;
}
