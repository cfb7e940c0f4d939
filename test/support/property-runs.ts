/** Seed of every property test unless `TEST_SEED` is set. */
const DEFAULT_SEED = 20_260_131;
/** Factor for the number of runs of a property test unless `TEST_RUNS` is set. */
const DEFAULT_RUNS_FACTOR = 0.5;
/** Factor for the number of rounds of a race unless `TEST_RUNS` is set. */
const DEFAULT_ROUNDS_FACTOR = 0.2;
/** Number of runs that fast-check makes of a property by default. */
const FAST_CHECK_RUNS = 100;

/**
 * Returns the parameters of a property test for `fc.assert`. `TEST_SEED` is a number of 32 bits; `TEST_RUNS` is the
 * factor by which `fullRuns` is multiplied. With the defaults, every run of a test uses the same values.
 */
export function propertyRuns(fullRuns = FAST_CHECK_RUNS): { seed: number; numRuns: number } {
  const factor = numberFrom('TEST_RUNS', DEFAULT_RUNS_FACTOR);
  const seed = numberFrom('TEST_SEED', DEFAULT_SEED);
  return { seed, numRuns: Math.max(1, Math.ceil(fullRuns * factor)) };
}

/** Returns the number of rounds of a test that repeats a race: `fullRounds`, or `TEST_RUNS` of them if that is less than 1. */
export function raceRounds(fullRounds: number): number {
  return Math.ceil(fullRounds * Math.min(1, numberFrom('TEST_RUNS', DEFAULT_ROUNDS_FACTOR)));
}

function numberFrom(variable: string, byDefault: number): number {
  const text = process.env[variable];
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new Error(`${variable}=${text} is not a number`);
  return value;
}
