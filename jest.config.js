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
  testEnvironment: '<rootDir>/test/support/fast-environment.js',
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
  // Dynamic imports in the sources use the file extension that Node requires.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFiles: ['reflect-metadata', ...(TEST_DELAYS ? ['<rootDir>/test/support/delays.js'] : [])],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

/** Without a tier the run names its files, which then run one by one instead of in suites. */
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
    // Set-up of the project, not of the run, so that a run without the project starts no server.
    ...(displayName === 'mysql' && {
      globalSetup: './test/support/mysql-setup.js',
      globalTeardown: './test/support/mysql-teardown.js',
    }),
  };
}

module.exports = {
  projects: Object.keys(PROJECTS)
    .map(project)
    // jest would replace an empty list by its default patterns.
    .filter(({ testMatch }) => testMatch.length > 0),
  reporters: ['default', '<rootDir>/test/support/failure-reporter.js'],
  testSequencer: './test/support/file-order.js',
  globalSetup: './test/support/global-setup.js',
  globalTeardown: './test/support/global-teardown.js',
  // Only ends a test that hangs. With delays, several tests that use much processor time run in parallel.
  testTimeout: TEST_DELAYS ? 1_200_000 : 400_000,
  // One more than there are cores: a file spends a third of its time waiting for databases and processes.
  maxWorkers: Math.min(4, availableParallelism() + 1),
  // Node keeps the ES modules of finished test files in memory. A worker above this limit is restarted before it runs
  // out of memory.
  workerIdleMemoryLimit: '1GB',
};
