const { availableParallelism } = require('node:os');
const { browserIsAvailable } = require('./test/support/browser-available.js');
const { mysqlIsAvailable } = require('./test/support/mysql-available.js');

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
  setupFiles: ['reflect-metadata'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

/** The same end-to-end files run once on each database; what needs none runs once. */
const onDatabase = (database) => ({
  ...shared,
  displayName: database,
  testMatch: [
    '<rootDir>/test/e2e/*.e2e-spec.ts',
    '<rootDir>/test/e2e/suites/*.suite.ts',
    '<rootDir>/test/database/**/*.spec.ts',
    '<rootDir>/test/faults/**/*.spec.ts',
    // What can happen to one of the databases only.
    `<rootDir>/test/{database,faults}/**/*.${database}-spec.ts`,
  ],
  globals: { DATABASE: database },
});

module.exports = {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['src', 'test/contract', 'test/fuzz', 'bench'].map(
        (folder) => `<rootDir>/${folder}/**/*.spec.ts`,
      ),
    },
    {
      ...shared,
      displayName: 'client',
      testMatch: ['<rootDir>/packages/client/test/*.spec.ts'],
      globals: { DATABASE: 'sqlite' },
    },
    onDatabase('sqlite'),
    ...(browserIsAvailable()
      ? [
          {
            ...shared,
            displayName: 'browser',
            testMatch: ['<rootDir>/{test,packages/client/test}/browser/**/*.spec.ts'],
            globals: { DATABASE: 'sqlite' },
          },
        ]
      : []),
    ...(mysqlIsAvailable()
      ? [
          {
            ...onDatabase('mysql'),
            // Of the project, so that a run without it starts no server.
            globalSetup: './test/support/mysql-setup.js',
            globalTeardown: './test/support/mysql-teardown.js',
          },
        ]
      : []),
  ],
  filter: './test/support/without-repetitions.js',
  testSequencer: './test/support/suites-first.js',
  globalSetup: './test/support/global-setup.js',
  globalTeardown: './test/support/global-teardown.js',
  testTimeout: 400_000,
  // More would only wait for the databases' and the services' processes, which share the processors.
  maxWorkers: Math.min(4, Math.max(2, availableParallelism())),
  // Node keeps the ES modules of finished test files; a worker that has grown is replaced before it runs out of memory.
  workerIdleMemoryLimit: '1GB',
};
