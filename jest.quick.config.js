const { globSync } = require('node:fs');
const { join } = require('node:path');
const { projects, ...shared } = require('./jest.config.js');
const { filesOf } = require('./test/support/suites.js');

/** What takes long by its nature: races, models and laws try much; the others start processes or servers. */
const LONG = [
  '-(races|model)\\.e2e-spec',
  'events-law',
  'webhooks-(instances|switched-off)',
  'events-large-groups',
  '(processes|processes-live|crash|restore|scripts|documents|admin-create|fuzz|log-secrecy|faults|pressure|metrics|rate-limits)\\.e2e-spec',
  'test/contract/openapi',
  'test/(database|faults)/',
];

/** Suites of which nothing is left. */
const EMPTY = globSync('test/e2e/suites/*.suite.ts').filter(
  (suite) => filesOf(join(__dirname, suite), LONG).length === 0,
);

/** `npm run test:quick`: rules, contracts and boundaries, and the service over HTTP, on SQLite alone. */
module.exports = {
  ...shared,
  projects: projects
    .filter(({ displayName }) => displayName === 'unit' || displayName === 'sqlite')
    .map((project) => ({
      ...project,
      testPathIgnorePatterns: ['/node_modules/', ...LONG, ...EMPTY],
      globals: { ...project.globals, LEFT_OUT: LONG },
    })),
};
