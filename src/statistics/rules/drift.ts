import { type Figure, summed } from './metrics';

/** A figure that is not what a recount says. */
export interface FigureDrift {
  metric: string;
  /** Empty: of all days together. */
  day: string;
  stored: number;
  actual: number;
}

/** By how much stored figures differ from recounted ones; what is missing on either side is 0. */
export function driftOf(stored: readonly Figure[], actual: readonly Figure[]): FigureDrift[] {
  const [were, are] = [byKey(stored), byKey(actual)];
  return [...new Set([...were.keys(), ...are.keys()])].toSorted().flatMap((key) => {
    const [was, is] = [were.get(key), are.get(key)];
    const { metric, day } = (was ?? is) as Figure;
    const drift = { metric, day, stored: was?.value ?? 0, actual: is?.value ?? 0 };
    return drift.stored === drift.actual ? [] : [drift];
  });
}

const byKey = (figures: readonly Figure[]): Map<string, Figure> =>
  new Map(summed(figures).map((figure) => [`${figure.metric} ${figure.day}`, figure]));

/** What mends it. */
export const mending = (drift: readonly FigureDrift[]): Figure[] =>
  drift.map(({ metric, day, stored, actual }) => ({ metric, day, value: actual - stored }));
