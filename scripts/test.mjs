import { execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';

/*
 * Runs the tests (docs/testing.md) with jest and the browser journeys with Playwright, and prints one summary.
 *
 * npm test                            the quick tier
 * npm test -- FILE [jest options]     jest alone, with these options
 * npm run test:full                   every test, with random seeds, in random order
 * npm run test:full -- --part 2/4     a quarter of the tests that only this command runs
 * npm run test:full -- --part commit  a sixth: tests of the areas that HEAD changed, the others by its hash
 * npm run test:slow                   every test, with a tenth of all statements and timers delayed
 * npm run test:slow -- --part 2/4     a quarter of all tests
 */

const require = createRequire(import.meta.url);
const { findChromium } = require('../test/support/browser-available.js');
const { AREAS_BY_PATH, ofTier, missingPrograms } = require('../test/support/selection.js');

const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
const PLAYWRIGHT = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'web'];
const RESULTS = { jest: 'dist/jest.json', journeys: 'dist/journeys.json' };
/** On slow machines a sixth takes five minutes, so that the gate ends within twenty. */
const PARTS = 6;
/** A journey takes ten seconds of processor time, so a thirtieth of the journeys fits in the gate. */
const JOURNEY_PARTS = 30;
/** Delays change the order of events, random cases do not: half the runs of each property test are enough. */
const DELAYED = { TEST_DELAYS: '1', TEST_RUNS: '0.5' };
/** On two cores, jest and the journeys at the same time take longer than one after the other: each already uses both cores. */
const IS_PARALLEL = availableParallelism() > 2;
/** Number of lines of a failure's message in the summary. */
const SUMMARY_LINES = 15;

const [mode, ...options] = process.argv.slice(2);
if (mode === '--full') process.exitCode = await runTier(fullTier(options), randomSeeds());
else if (mode === '--slow')
  process.exitCode = await runTier({ ...fullTier(options), tier: 'full' }, { ...randomSeeds(), ...DELAYED });
else if (mode === undefined) process.exitCode = await runTier({ tier: 'quick' });
else process.exitCode = await run([...JEST, ...process.argv.slice(2)]);

/** Returns the selection of `npm run test:full` and of its parts. */
function fullTier([option, value]) {
  if (option === undefined) return { tier: 'full' };
  if (option !== '--part') throw new Error(`Unknown option ${option}`);
  if (value === 'commit') return partOfCommit();
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(value ?? '') ?? [];
  if (index === undefined) throw new Error('--part takes INDEX/COUNT or commit');
  return { tier: 'rest', part: { index: Number(index), count: Number(count) } };
}

/**
 * Selects a sixth, in which the tests of the areas that HEAD changed come first. Six commits with other hashes run most of
 * the rest.
 */
function partOfCommit() {
  const hash = git('rev-parse', '--short=8', 'HEAD');
  const number = Number.parseInt(hash, 16);
  const index = (number % PARTS) + 1;
  // Fixed per commit, so that a repeated run uses the same cases.
  process.env.TEST_SEED ??= String(number % 2 ** 31);
  console.log(`Part ${index} of ${PARTS} of npm run test:full: the hash of commit ${hash} selects it.`);
  const hasParent = git('rev-list', '--count', '--max-count=2', 'HEAD') === '2';
  const changed = hasParent ? git('diff', '--name-only', 'HEAD~1', 'HEAD').split('\n') : [];
  const areas = AREAS_BY_PATH.filter(({ paths }) => changed.some((path) => paths.test(path)));
  for (const { name, tests } of areas)
    console.log(`In it, first the tests of ${name} (${tests.source}): commit ${hash} changed it.`);
  const journeys = { index: (number % JOURNEY_PARTS) + 1, count: JOURNEY_PARTS };
  console.log(`Browser journeys: part ${journeys.index} of ${journeys.count}.`);
  const touched = areas.map(({ tests }) => tests);
  return { tier: 'rest', part: { index, count: PARTS }, journeys, touched };
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

/**
 * Chooses random seeds, unless TEST_SEED is set. They are printed, because a failure repeats only with the same seeds.
 */
function randomSeeds() {
  const seed = process.env.TEST_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
  console.log(`TEST_SEED=${seed} reproduces the order of the files and the cases of the property tests.`);
  return { TEST_SEED: seed, TEST_ORDER: seed, TEST_RUNS: '2' };
}

/** Runs the selected tests. Returns the exit code. */
async function runTier(selection, env = {}) {
  mkdirSync('dist', { recursive: true });
  for (const file of Object.values(RESULTS)) rmSync(file, { force: true });
  const jest = runJest(selection, env);
  if (!IS_PARALLEL) await jest;
  const outcomes = await Promise.all([jest, runJourneys(selection, env)]);

  const failures = outcomes.flatMap((outcome) => outcome.failures);
  for (const [index, { title, message, repeat }] of failures.entries()) {
    const lines = message.split('\n').slice(0, SUMMARY_LINES);
    console.log(`\nFAIL ${index + 1} of ${failures.length}: ${title}\n${lines.join('\n')}`);
    console.log(`Repeat it: ${repeat}`);
  }
  const missing = missingPrograms();
  if (missing.length > 0) console.log();
  for (const { what, how } of missing) console.log(`Skipped: ${what}. To run them, install ${how}.`);
  const isComplete = missing.length === 0 || process.env.CI !== 'true';
  if (!isComplete) console.log('With CI=true, skipped tests are a failure.');

  const passed = outcomes.reduce((total, outcome) => total + outcome.passed, 0);
  console.log(`\n${passed} passed, ${failures.length} failed`);
  return isComplete && outcomes.every(({ exitCode }) => exitCode === 0) ? 0 : 1;
}

async function runJest({ tier, part, touched = [] }, env) {
  const exitCode = await run(JEST, {
    ...env,
    TEST_TIER: tier,
    ...(part && { TEST_PART: `${part.index}/${part.count}` }),
    TEST_TOUCHED: JSON.stringify(touched.map(({ source }) => source)),
  });
  const result = readResult(RESULTS.jest);
  return result === undefined ? withoutResult('jest', 'npm test') : { exitCode, ...result };
}

function readResult(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The outcome of a runner that exited before it wrote its result. */
function withoutResult(runner, repeat) {
  const failure = { title: runner, message: 'Exited without a result.', repeat };
  return { exitCode: 1, passed: 0, failures: [failure] };
}

/** Journeys tagged @smoke are the quick tier. */
async function runJourneys(selection, env) {
  const { tier, part, journeys = part } = selection;
  const files = ofTier(
    globSync('web/test/**/*.pw.ts')
      .toSorted()
      .map((file) => ({ file })),
    { tier, part: journeys },
    () => false,
  ).map(({ file }) => file);
  if (findChromium() === undefined || (tier !== 'quick' && files.length === 0))
    return { exitCode: 0, passed: 0, failures: [] };
  const chosen = {
    quick: ['--grep', '@smoke'],
    rest: ['--grep-invert', '@smoke', ...files],
    full: files,
  }[tier];
  const settings = { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: RESULTS.journeys };
  // In parallel, ignores standard output, which would be interleaved with that of jest.
  const exitCode = await (IS_PARALLEL
    ? run([...PLAYWRIGHT, '--reporter', 'json', ...chosen], settings, 'ignore')
    : run([...PLAYWRIGHT, '--reporter', 'list,json', ...chosen], settings));
  const report = readResult(RESULTS.journeys);
  if (report === undefined) return withoutResult('journeys', 'npm run test:web');
  const { stats, errors, suites } = report;
  const failures = [
    ...errors.map(({ message }) => ({ title: 'journeys', message, repeat: 'npm run test:web' })),
    ...suites.flatMap((suite) => failedJourneys(suite, [])),
  ];
  console.log(`Journeys: ${stats.expected} passed, ${failures.length} failed.`);
  return { exitCode, passed: stats.expected, failures };
}

function failedJourneys({ specs, suites = [] }, names) {
  return [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ file, line, title, tests }) => ({
        title: `web/test/${file}:${line} ${[...names, title].join(' › ')}`,
        message: tests
          .flatMap(({ results }) => results)
          .flatMap(({ errors }) => errors)
          .map(({ message }) => message)
          .join('\n'),
        repeat: `npm run test:web -- ${file}:${line}`,
      })),
    ...suites.flatMap((inner) => failedJourneys(inner, [...names, inner.title])),
  ];
}

/** Runs a Node program. Returns its exit code; 1 if a signal ended it. */
function run(programArguments, env = {}, stdout = 'inherit') {
  const child = spawn(process.execPath, programArguments, {
    stdio: ['ignore', stdout, 'inherit'],
    env: { ...process.env, ...env },
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
