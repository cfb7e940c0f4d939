const { execFileSync, spawn } = require('node:child_process');
const { once } = require('node:events');
const { mkdtempSync, rmSync } = require('node:fs');
const { createServer } = require('node:net');
const { tmpdir, userInfo } = require('node:os');
const { join } = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');
const { createConnection } = require('mysql2/promise');
const { findProgram } = require('./mysql-available.js');

/** Attempts are a hundred milliseconds apart, so that a start may take as long as `MAX_WAIT_MS`. */
const START_ATTEMPTS = 3_000;

/** Above the ports that browsers block, and below the range of ephemeral ports. */
const FIRST_PORT = 11_000;
const PORTS = 20_000;
let next = Math.floor(Math.random() * PORTS);

/**
 * An address of this machine on which no service listens. A process that takes a port of 127.0.0.1 also listens on the
 * same port of this address until it exits, which reserves the port against other processes of this run or of another
 * one.
 */
const RESERVING_ADDRESS = '127.0.0.99';

/**
 * Returns a free port of 127.0.0.1. No other test on this machine receives it, even while the service on it is killed.
 */
async function freePort() {
  for (let tried = 0; tried < PORTS; tried += 1) {
    const port = FIRST_PORT + (next++ % PORTS);
    const reservation = await listen(port, RESERVING_ADDRESS);
    if (reservation === undefined) continue;
    reservation.unref();
    if (await isFree(port)) return port;
    reservation.close();
  }
  throw new Error('No port is free');
}

/**
 * Listens on a port; returns undefined if another server does. If the system lacks the address, nothing is reserved.
 */
async function listen(port, host) {
  const server = createServer().listen({ port, host, exclusive: true });
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (error.code === 'EADDRINUSE') return undefined;
    if (error.code === 'EADDRNOTAVAIL') return server;
    throw error;
  }
}

async function isFree(port) {
  const server = await listen(port, '127.0.0.1');
  if (server === undefined) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/**
 * Starts a MariaDB server on a free port of 127.0.0.1, with a data folder of its own. `options` override the default
 * options for tests.
 * Returns its URL (without a database) and functions: `freeze` and `thaw` suspend and resume the process, `halt` ends
 * it (with SIGKILL: kills it), `restart` starts it again on the same data and port, and `stop` ends it and deletes the
 * folder.
 */
async function startMariadb(options = []) {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-mariadb-'));
  const data = join(folder, 'data');
  const user = `--user=${userInfo().username}`;
  execFileSync(
    findProgram('mariadb-install-db', 'mysql_install_db'),
    [
      '--no-defaults',
      user,
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      // Installing waits for the disk otherwise, for a minute on a busy machine.
      '--innodb-flush-method=nosync',
      '--debug-no-sync',
    ],
    // An error then contains the output.
    { stdio: 'pipe' },
  );
  const port = await freePort();
  const settings = [
    '--no-defaults',
    user,
    `--datadir=${data}`,
    // A starting server deletes the temporary tables of other servers in the same tmpdir.
    `--tmpdir=${folder}`,
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--max-connections=500',
    '--innodb-buffer-pool-size=256M',
    // A process may be killed in a test, which this setting survives; a power failure, which it does not survive, is
    // not tested.
    '--innodb-flush-log-at-trx-commit=2',
    ...options,
  ];
  let server;
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  const halt = async (signal = 'SIGTERM') => {
    if (hasEnded()) return;
    server.kill(signal);
    await once(server, 'exit');
  };
  const stop = async () => {
    server.kill('SIGCONT');
    await halt();
    rmSync(folder, { recursive: true, force: true });
  };
  const restart = async () => {
    server = spawn(findProgram('mariadbd'), settings, { stdio: 'ignore' });
    for (let attempt = 0; attempt < START_ATTEMPTS && !hasEnded(); attempt += 1) {
      try {
        const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' });
        await connection.end();
        return;
      } catch {
        await pause(100);
      }
    }
    await stop();
    throw new Error('MariaDB did not start');
  };
  await restart();
  return {
    url: `mariadb://root@127.0.0.1:${port}`,
    pid: server.pid,
    freeze: () => server.kill('SIGSTOP'),
    thaw: () => server.kill('SIGCONT'),
    halt,
    restart,
    stop,
  };
}

module.exports = { freePort, startMariadb };
