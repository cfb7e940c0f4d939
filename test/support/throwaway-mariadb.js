const { execFileSync, spawn } = require('node:child_process');
const { once } = require('node:events');
const { mkdtempSync, rmSync } = require('node:fs');
const { createServer } = require('node:net');
const { tmpdir, userInfo } = require('node:os');
const { join } = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');
const { createConnection } = require('mysql2/promise');
const { findProgram } = require('./mysql-available.js');

/** A hundred milliseconds apart, so that a start has as long as `MAX_WAIT_MS`. */
const START_ATTEMPTS = 3_000;

/** Above the ports that browsers refuse, and below the range from which the system gives ports to connections. */
const FIRST_PORT = 11_000;
const PORTS = 20_000;
let next = Math.floor(Math.random() * PORTS);

/**
 * An address of this machine on which no service listens. A process that takes a port of 127.0.0.1 listens on the same port of
 * this address for as long as it lives, so that no other process takes that port, of this run or of another one.
 */
const RESERVING_ADDRESS = '127.0.0.99';

/** A free port of 127.0.0.1, which no other test on this machine is given, also while the service on it is killed. */
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

/** Listens on a port; returns undefined when another server does. Where the system lacks the address, nothing is reserved. */
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
 * Starts a MariaDB of its own on a free port of 127.0.0.1, in a folder of its own. `options`: of the server, after the
 * ones that suit tests, which they override.
 * Returns its URL (without a database) and hands: `freeze` and `thaw` make it silent and bring it back, `halt` ends it
 * (with SIGKILL: kills it) and `restart` starts it again on the same data and port, `stop` ends it and removes the
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
    ],
    { stdio: 'ignore' },
  );
  const port = await freePort();
  const settings = [
    '--no-defaults',
    user,
    `--datadir=${data}`,
    // A server that starts throws away the temporary tables of whoever shares its folder for them.
    `--tmpdir=${folder}`,
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--max-connections=500',
    '--innodb-buffer-pool-size=256M',
    // The machine may not lose power in a test; processes may be killed, and that this setting survives.
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
