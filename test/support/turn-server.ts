import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTurnServer } from './browser-available.js';
import { freePort } from './throwaway-mariadb.js';
import { eventually } from './waiting';

export const TURN_SECRET = 'the-secret-of-the-turn-server';

/** A coturn server with the configuration of `deploy/coturn`, on the loopback. */
export class TurnServer {
  private constructor(
    readonly port: number,
    readonly lines: string[],
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(): Promise<TurnServer> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'callboard-turn-'));
    const child = spawn(
      findTurnServer() as string,
      [
        '-c',
        'deploy/coturn/turnserver.conf',
        `--static-auth-secret=${TURN_SECRET}`,
        '--realm=callboard.test',
        `--listening-port=${port}`,
        '--listening-ip=127.0.0.1',
        '--relay-ip=127.0.0.1',
        // By default it relays to public addresses only; the terminals of a test have none.
        '--allow-loopback-peers',
        '--allowed-peer-ip=127.0.0.1',
        `--userdb=${join(folder, 'turndb')}`,
        `--pidfile=${join(folder, 'pid')}`,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], cwd: process.cwd() },
    );
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    const server = new TurnServer(port, lines, child, folder);
    const isRunning = await eventually(
      () => accepts(port),
      (accepted) => accepted || child.exitCode !== null,
    ).catch(() => false);
    if (isRunning) return server;
    await server.stop();
    throw new Error(`coturn did not start:\n${lines.join('')}`);
  }

  /** Environment of a service that uses this server. */
  get environment(): NodeJS.ProcessEnv {
    return {
      STUN_URLS: `stun:127.0.0.1:${this.port}`,
      TURN_URLS: `turn:127.0.0.1:${this.port}?transport=udp`,
      TURN_SECRET,
    };
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGKILL');
      await once(this.child, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
