const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { beginSuiteLog } = require('./suite-log.js');

/** Begins the log of the run, except of the quick tier, which it would make a tenth slower, and creates the folder of its database templates (migrated-database.ts). */
module.exports = async () => {
  if (process.env.TEST_TIER !== 'quick') beginSuiteLog();
  process.env.TEST_TEMPLATES = mkdtempSync(join(tmpdir(), 'callboard-templates-'));
};
