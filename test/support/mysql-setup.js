const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { startMariadb } = require('./throwaway-mariadb.js');

/**
 * Names the MySQL server of the run in TEST_MYSQL_URL: the one given, else a throw-away MariaDB; and in
 * TEST_MYSQL_SCHEMA the file that keeps what its migrations make.
 */
module.exports = async () => {
  globalThis.schemaFolder = mkdtempSync(join(tmpdir(), 'callboard-schema-'));
  process.env.TEST_MYSQL_SCHEMA = join(globalThis.schemaFolder, 'schema.sql');
  if (process.env.TEST_MYSQL_URL) return;
  globalThis.mariadb = await startMariadb();
  process.env.TEST_MYSQL_URL = globalThis.mariadb.url;
};
