const { mysqlIsAvailable } = require('./mysql-available.js');
const { beginSuiteLog } = require('./suite-log.js');
const { startMariadb } = require('./throwaway-mariadb.js');

/** Begins the log of the run, and names its MySQL server in TEST_MYSQL_URL: the one given, else a throw-away MariaDB. */
module.exports = async () => {
  beginSuiteLog();
  if (!mysqlIsAvailable()) {
    if (process.env.CI === 'true')
      throw new Error('CI must test on MySQL: install mariadb-server or set TEST_MYSQL_URL');
    process.stderr.write(
      '\n### THE MYSQL PART IS SKIPPED: no TEST_MYSQL_URL and no mariadbd on this machine ###\n\n',
    );
    return;
  }
  if (process.env.TEST_MYSQL_URL) return;
  globalThis.mariadb = await startMariadb();
  process.env.TEST_MYSQL_URL = globalThis.mariadb.url;
};
