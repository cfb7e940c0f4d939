import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/throwaway-mariadb.js';
import type { Vitals } from './monitor';

const START_ATTEMPTS = 600;

/** The production build in a separate process with a monitor. */
export class WatchedService {
  /** One sample per second since the start. */
  readonly vitals: Vitals[] = [];

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    child.on('message', (vitals: Vitals) => this.vitals.push(vitals));
  }

  /** Starts the service and waits until it is ready. */
  static async start(env: NodeJS.ProcessEnv): Promise<WatchedService> {
    const port = await freePort();
    const dist = join(__dirname, '..', '..');
    const child = fork(join(dist, 'src', 'main.js'), {
      execArgv: ['--require', join(__dirname, 'monitor.js')],
      env: { PATH: process.env.PATH, ...env, PORT: String(port), HOST: '127.0.0.1' },
    });
    const service = new WatchedService(child, `http://127.0.0.1:${port}`);
    for (let attempt = 0; attempt < START_ATTEMPTS && child.exitCode === null; attempt += 1) {
      const ready = await fetch(`${service.url}/health/ready`).catch(() => undefined);
      if (ready?.ok) return service;
      await pause(50);
    }
    throw new Error('The service did not start');
  }

  /** Sends SIGTERM. Returns the exit code. */
  async stop(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    return this.child.exitCode;
  }
}
