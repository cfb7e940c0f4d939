const { existsSync } = require('node:fs');
const { delimiter, join } = require('node:path');

/** The first of some programs that is on the PATH or where Debian puts its servers, or undefined. */
function findProgram(...names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/bin'];
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Whether the MySQL part of the tests can run: a server was named, or one can be started here. */
const mysqlIsAvailable = () => Boolean(process.env.TEST_MYSQL_URL || findProgram('mariadbd'));

module.exports = { findProgram, mysqlIsAvailable };
