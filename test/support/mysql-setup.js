const { startMariadb } = require('./throwaway-mariadb.js');

/** Sets TEST_MYSQL_URL to the MySQL server of the run: the configured one, otherwise a throw-away MariaDB. */
module.exports = async () => {
  if (process.env.TEST_MYSQL_URL) return;
  globalThis.mariadb = await startMariadb();
  process.env.TEST_MYSQL_URL = globalThis.mariadb.url;
};
