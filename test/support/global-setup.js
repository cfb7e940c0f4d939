const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { beginSuiteLog } = require('./suite-log.js');

/**
 * Starts the log of the run, and creates the folder of its database templates (migrated-database.ts). The quick tier and
 * `npm run test:slow` have no log, since it makes a run a tenth slower.
 */
module.exports = async () => {
  const { TEST_TIER, TEST_DELAYS } = process.env;
  if (TEST_TIER !== 'quick' && !TEST_DELAYS) beginSuiteLog();
  process.env.TEST_TEMPLATES = mkdtempSync(join(tmpdir(), 'callboard-templates-'));
};
