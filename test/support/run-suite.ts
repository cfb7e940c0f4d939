import { join, relative } from 'node:path';
import { ROOT, suiteOf } from './selection.js';

/** Files that this jest project runs in suites (jest.config.js). */
declare const SUITE_FILES: string[];

/** Runs the end-to-end files of a suite one after another, evaluating the framework and the service once. */
export function runSuite(suite: string): void {
  const name = relative(ROOT, suite);
  for (const file of SUITE_FILES.filter((one) => suiteOf(one) === name)) {
    describe(file, () => {
      afterAll(() => jest.restoreAllMocks());
      jest.requireActual(join(ROOT, file));
    });
  }
}
