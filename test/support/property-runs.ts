import { relative } from 'node:path';

/** Seed of every property test unless `TEST_SEED` names another one. */
const DEFAULT_SEED = 20_260_131;
/** Share of its runs that a property test makes unless `TEST_RUNS` names another one. */
const DEFAULT_RUNS_FACTOR = 0.5;
/** Number of runs that fast-check makes of a property by itself. */
const FAST_CHECK_RUNS = 100;

let randomSeed: number | undefined;

/**
 * Returns the parameters of a property test for `fc.assert`.
 *
 * `TEST_SEED` is a number or `random`, which draws one seed for each jest file and prints it. `TEST_RUNS` is the factor by
 * which `fullRuns` is multiplied. With the defaults, every run of a test makes the same values.
 */
export function propertyRuns(fullRuns = FAST_CHECK_RUNS): { seed: number; numRuns: number } {
  const factor = numberFrom('TEST_RUNS', DEFAULT_RUNS_FACTOR);
  return { seed: seed(), numRuns: Math.max(1, Math.ceil(fullRuns * factor)) };
}

function seed(): number {
  if (process.env.TEST_SEED !== 'random') return numberFrom('TEST_SEED', DEFAULT_SEED);
  randomSeed ??= drawSeed();
  return randomSeed;
}

function drawSeed(): number {
  // fast-check takes seeds of 32 bits.
  const drawn = Math.floor(Math.random() * 2 ** 31);
  const file = relative(process.cwd(), expect.getState().testPath ?? '');
  const runs = process.env.TEST_RUNS === undefined ? '' : `TEST_RUNS=${process.env.TEST_RUNS} `;
  process.stderr.write(`Random seed: TEST_SEED=${drawn} ${runs}npm test -- ${file}\n`);
  return drawn;
}

function numberFrom(variable: string, byDefault: number): number {
  const text = process.env[variable];
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new Error(`${variable}=${text} is not a number`);
  return value;
}
