import { filesOf, nameOf } from './suites.js';

/** Patterns of files that this run leaves out (jest.quick.config.js). */
declare const LEFT_OUT: string[] | undefined;

/** Runs the end-to-end files of a suite one after the other, on one evaluation of the service. */
export function runSuite(suite: string): void {
  for (const file of filesOf(suite, typeof LEFT_OUT === 'undefined' ? [] : LEFT_OUT)) {
    describe(nameOf(file), () => {
      afterAll(() => jest.restoreAllMocks());
      jest.requireActual(file);
    });
  }
}
