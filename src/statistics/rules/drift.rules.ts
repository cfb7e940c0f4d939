import { type Figure, summed } from './metrics.rules';

/** A stored metric value that differs from the recounted one. */
export interface FigureDrift {
  metric: string;
  /** Empty for a metric of all days together. */
  day: string;
  stored: number;
  actual: number;
}

/** Returns the metrics whose stored and recounted values differ, by name and day. A missing value counts as 0. */
export function driftOf(stored: readonly Figure[], actual: readonly Figure[]): FigureDrift[] {
  const [storedByKey, actualByKey] = [byKey(stored), byKey(actual)];
  return [...new Set([...storedByKey.keys(), ...actualByKey.keys()])].toSorted().flatMap((key) => {
    const [before, after] = [storedByKey.get(key), actualByKey.get(key)];
    const { metric, day } = (before ?? after) as Figure;
    const drift = { metric, day, stored: before?.value ?? 0, actual: after?.value ?? 0 };
    return drift.stored === drift.actual ? [] : [drift];
  });
}

const byKey = (figures: readonly Figure[]): Map<string, Figure> =>
  new Map(summed(figures).map((figure) => [`${figure.metric} ${figure.day}`, figure]));

/** Returns the corrections to add to the stored values. */
export const toCorrections = (drift: readonly FigureDrift[]): Figure[] =>
  drift.map(({ metric, day, stored, actual }) => ({ metric, day, value: actual - stored }));
