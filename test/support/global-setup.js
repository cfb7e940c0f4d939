const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { beginSuiteLog } = require('./suite-log.js');

/**
 * Starts the log of the run (not in the quick tier, which would become a tenth slower), and creates the folder of its
 * database templates (migrated-database.ts).
 */
module.exports = async () => {
  if (process.env.TEST_TIER !== 'quick') beginSuiteLog();
  process.env.TEST_TEMPLATES = mkdtempSync(join(tmpdir(), 'callboard-templates-'));
};
