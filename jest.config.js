const { availableParallelism } = require('node:os');
const { PROJECTS, selectedFiles, suiteOf } = require('./test/support/selection.js');

const { TEST_TIER: tier, TEST_PART, TEST_TOUCHED, TEST_DELAYS } = process.env;
const [index, count] = (TEST_PART ?? '').split('/').map(Number);
const selected = selectedFiles({
  tier,
  part: TEST_PART === undefined ? undefined : { index, count },
  touched: JSON.parse(TEST_TOUCHED ?? '[]').map((pattern) => new RegExp(pattern)),
});

const shared = {
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          target: 'es2024',
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      },
    ],
  },
  // Files that are imported when they are needed are named as Node wants them.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFiles: ['reflect-metadata', ...(TEST_DELAYS ? ['<rootDir>/test/support/delays.js'] : [])],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

/** Without a tier the run names its files, which then run by themselves instead of in suites. */
function project(displayName) {
  const files = selected.filter((one) => one.project === displayName).map(({ file }) => file);
  const runs = tier === undefined ? files : files.map((file) => suiteOf(file) ?? file);
  return {
    ...shared,
    displayName,
    testMatch: [...new Set(runs)].map((file) => `<rootDir>/${file}`),
    globals: {
      DATABASE: displayName === 'mysql' ? 'mysql' : 'sqlite',
      HAS_DATABASE: displayName !== 'unit',
      SUITE_FILES: files,
    },
    ...(['sqlite', 'mysql'].includes(displayName) && {
      moduleNameMapper: {
        ...shared.moduleNameMapper,
        '^@node-rs/argon2$': '<rootDir>/test/support/cheap-argon2.js',
      },
    }),
    // Set-up of the project, not of the run: a run without the project starts no server.
    ...(displayName === 'mysql' && {
      globalSetup: './test/support/mysql-setup.js',
      globalTeardown: './test/support/mysql-teardown.js',
    }),
  };
}

module.exports = {
  projects: Object.keys(PROJECTS)
    .map(project)
    // jest would take an empty list for its default patterns.
    .filter(({ testMatch }) => testMatch.length > 0),
  reporters: ['default', '<rootDir>/test/support/failure-reporter.js'],
  testSequencer: './test/support/file-order.js',
  globalSetup: './test/support/global-setup.js',
  globalTeardown: './test/support/global-teardown.js',
  // Only ends a test that hangs. With delays several tests that load the machine run beside each other.
  testTimeout: TEST_DELAYS ? 1_200_000 : 400_000,
  // One more than there are cores: a third of the time of a file is waiting for databases and processes. With delays most of it is.
  maxWorkers: TEST_DELAYS ? 2 * availableParallelism() + 1 : Math.min(4, availableParallelism() + 1),
  // Node keeps the ES modules of finished test files; a worker that has grown is replaced before it runs out of memory.
  workerIdleMemoryLimit: '1GB',
};
