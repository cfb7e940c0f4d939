const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { beginSuiteLog } = require('./suite-log.js');

/** Begins the log of the run, and creates the folder of its database templates (migrated-database.ts). */
module.exports = async () => {
  beginSuiteLog();
  process.env.TEST_TEMPLATES = mkdtempSync(join(tmpdir(), 'callboard-templates-'));
};
