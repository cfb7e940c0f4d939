import { join } from 'node:path';
import type { TIMINGS } from '../../src/common/timings';

/** A time limit that no machine is slow enough to reach. */
export const NEVER_MS = 3_600_000;

/**
 * Environment of a service with other values for time limits that are not configurable. Users have no debts in it:
 * traffic of one user would wait for seconds where transactions are slow.
 */
export const timingEnvironment = (timings: Partial<typeof TIMINGS> = {}): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--require=${join(__dirname, 'set-timings.js')}`,
  TEST_TIMINGS: JSON.stringify({ debtFromMs: NEVER_MS, ...timings }),
});
