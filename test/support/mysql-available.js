const { existsSync } = require('node:fs');
const { delimiter, join } = require('node:path');

/**
 * Returns the path of the first of these programs that is on the PATH or in Debian's folders of servers; undefined if
 * there is none.
 */
function findProgram(...names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/bin'];
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Whether tests on MySQL can run: a server is configured, or MariaDB is installed. */
const mysqlIsAvailable = () => Boolean(process.env.TEST_MYSQL_URL || findProgram('mariadbd'));

module.exports = { findProgram, mysqlIsAvailable };
