import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/*
 * npm test: the journeys through the pages (playwright), and everything else (jest), with one summary. With arguments it is
 * jest alone, which takes them: npm test -- test/e2e/calls.e2e-spec.ts --selectProjects sqlite
 */

const { browserIsAvailable } = createRequire(import.meta.url)('../test/support/browser-available.js');

const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
const RESULTS = { journeys: 'dist/journeys.json', jest: 'dist/jest.json' };
const givenArguments = process.argv.slice(2);

if (givenArguments.length > 0) process.exitCode = await run([...JEST, ...givenArguments]);
else await everything();

async function everything() {
  mkdirSync('dist', { recursive: true });
  const outcomes = [];
  if (browserIsAvailable()) {
    const exitCode = await run(['node_modules/@playwright/test/cli.js', 'test', '-c', 'web']);
    const report = JSON.parse(readFileSync(RESULTS.journeys, 'utf8'));
    const { expected, unexpected, flaky, skipped } = report.stats;
    outcomes.push({
      exitCode,
      passed: expected,
      failed: unexpected + flaky + skipped,
      errors: journeyErrors(report),
    });
  } else {
    const isForced = process.env.CI === 'true';
    console.error(
      `\nThere is no chromium (and coturn) here: the pages are NOT tested${isForced ? ', as CI must' : ''}.\n`,
    );
    if (isForced) outcomes.push({ exitCode: 1, passed: 0, failed: 1 });
  }
  const exitCode = await run([...JEST, '--json', '--outputFile', RESULTS.jest]);
  const results = JSON.parse(readFileSync(RESULTS.jest, 'utf8'));
  // A file that could not be run has no failed test.
  const failed = Math.max(results.numFailedTests, results.numFailedTestSuites);
  outcomes.push({ exitCode, passed: results.numPassedTests, failed });

  // The journeys ran half an hour ago: what failed is told again beside the sum.
  for (const error of outcomes.flatMap(({ errors = [] }) => errors)) console.log(`\nFAIL ${error}`);

  const sum = (what) => outcomes.reduce((total, outcome) => total + outcome[what], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = outcomes.every((outcome) => outcome.exitCode === 0) ? 0 : 1;
}

/** What failed in a report of playwright: file, names and message of each. */
function journeyErrors({ errors, suites }) {
  const ofSuite = (suite, names) => [
    ...suite.specs
      .filter((spec) => !spec.ok)
      .map((spec) => {
        const results = spec.tests.flatMap((test) => test.results);
        const messages = results.flatMap((result) => result.errors).map(({ message }) => message);
        return [`${spec.file}:${spec.line} ${[...names, spec.title].join(' › ')}`, ...messages].join('\n');
      }),
    ...(suite.suites ?? []).flatMap((inner) => ofSuite(inner, [...names, inner.title])),
  ];
  return [...errors.map(({ message }) => message), ...suites.flatMap((suite) => ofSuite(suite, []))];
}

/** Runs a program of Node; answers how it ended. */
function run(programArguments) {
  const child = spawn(process.execPath, programArguments, { stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
