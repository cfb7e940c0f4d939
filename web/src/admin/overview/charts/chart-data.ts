/** A bar of a chart: one day or several consecutive days. */
export interface Bar {
  from: string;
  to: string;
  /** One value per series, in stacking order. */
  values: number[];
}

export interface Series {
  /** Selects the colour through the class `series-<name>`. */
  name: string;
  label: string;
}

export interface ChartProps {
  title: string;
  bars: Bar[];
  series: Series[];
}

export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Returns `2026-01-31`, or the first and the last day of several. */
export const spanOf = ({ from, to }: Bar): string => (from === to ? from : `${from} – ${to}`);

/**
 * Returns the grid lines from 0 to at least `highest`: at most five, with a distance of 1, 2 or 5 times a power of ten.
 */
export function gridOf(highest: number): number[] {
  const rough = Math.max(1, highest) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  return Array.from({ length: Math.ceil(Math.max(1, highest) / step) + 1 }, (_, index) => index * step);
}
