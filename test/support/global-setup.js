const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { browserIsAvailable } = require('./browser-available.js');
const { mysqlIsAvailable } = require('./mysql-available.js');
const { beginSuiteLog } = require('./suite-log.js');

/** Begins the log of the run, and says so when the parts on MySQL or in browsers cannot run. */
module.exports = async () => {
  beginSuiteLog();
  // Migrated databases to copy: see migrated-database.ts.
  process.env.TEST_TEMPLATES = mkdtempSync(join(tmpdir(), 'callboard-templates-'));
  if (!browserIsAvailable()) {
    if (process.env.CI === 'true') throw new Error('CI must test in browsers: install chromium and coturn');
    process.stderr.write(
      '\n### THE BROWSER PART IS SKIPPED: no chromium or no turnserver on this machine ###\n\n',
    );
  }
  if (mysqlIsAvailable()) return;
  if (process.env.CI === 'true')
    throw new Error('CI must test on MySQL: install mariadb-server or set TEST_MYSQL_URL');
  process.stderr.write(
    '\n### THE MYSQL PART IS SKIPPED: no TEST_MYSQL_URL and no mariadbd on this machine ###\n\n',
  );
};
