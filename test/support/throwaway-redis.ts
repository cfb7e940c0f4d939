import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { findProgram } from './mysql-available.js';
import { freePort } from './throwaway-mariadb.js';
import { eventually } from './waiting';

/** Whether Redis can be started on this machine. Prints a warning if not; throws in CI. */
export function redisIsAvailable(): boolean {
  if (findProgram('redis-server')) return true;
  if (process.env.CI === 'true') throw new Error('CI must test with Redis: install redis-server');
  process.stderr.write('\n### THE REDIS PART IS SKIPPED: no redis-server on this machine ###\n\n');
  return false;
}

/** A Redis server on a free port of 127.0.0.1 without persistence. */
export class ThrowawayRedis {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  /**
   * @param more further settings of the server
   * @param file a file with settings, and options that belong to it
   */
  static async start(
    port?: number,
    more: readonly string[] = [],
    file: readonly string[] = [],
  ): Promise<ThrowawayRedis> {
    const chosen = port ?? (await freePort());
    const own = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const settings = [...file, ...own, ...more];
    const child = spawn(findProgram('redis-server') as string, settings, { stdio: 'ignore' });
    const isRunning = await eventually(
      () => accepts(chosen),
      (accepted) => accepted || child.exitCode !== null,
    );
    if (!isRunning) throw new Error(`Redis ended with ${child.exitCode}`);
    return new ThrowawayRedis(chosen, child);
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Suspends the process: connections stay open without responses. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
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
