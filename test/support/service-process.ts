import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { testEnvironment } from './environment';
import { signToken } from './tokens';
import { freePort } from './throwaway-mariadb.js';
import { eventually } from './waiting';

export { eventually };

/** The built service in a separate process, reached over a real connection. */
export class ServiceProcess {
  readonly lines: string[] = [];
  /** Resolves when the process has ended and all its output is in `lines`. */
  #closed: Promise<unknown> = Promise.resolve();

  private constructor(
    private child: ChildProcess,
    readonly url: string,
    readonly databaseUrl: string,
    private readonly launch: () => ChildProcess,
  ) {
    this.#listen();
  }

  /**
   * Starts the service on a free port and waits until it is ready. `launcher`: a command that runs the given command
   * under other conditions (`prlimit --nofile=512`). `entry`: the file to run, with its arguments if any. Default: the
   * bundle, or the compiled files if `NODE_OPTIONS` loads a file that changes one of them.
   */
  static async start(
    databaseUrl: string,
    env: NodeJS.ProcessEnv = {},
    launcher: string[] = [],
    entry?: string | readonly string[],
  ): Promise<ServiceProcess> {
    const service = await ServiceProcess.begin(databaseUrl, env, launcher, entry);
    await service.#untilReady();
    return service;
  }

  /** Like `start`, but does not wait until the service is ready; for services that exit early. */
  static async begin(
    databaseUrl: string,
    env: NodeJS.ProcessEnv = {},
    launcher: string[] = [],
    entry?: string | readonly string[],
  ): Promise<ServiceProcess> {
    const port = await freePort();
    const environment: NodeJS.ProcessEnv = {
      PATH: process.env.PATH,
      ...testEnvironment(databaseUrl),
      PORT: String(port),
      HOST: '127.0.0.1',
      ...env,
    };
    const file = environment.NODE_OPTIONS === undefined ? 'dist/bundle/main.js' : 'dist/src/main.js';
    const [command = process.execPath, ...args] = [...launcher, process.execPath, ...[entry ?? file].flat()];
    const launch = (): ChildProcess =>
      spawn(command, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    return new ServiceProcess(launch(), `http://127.0.0.1:${port}`, databaseUrl, launch);
  }

  /** Restarts the service after `kill` or `stop`, on the same port and with the same database. */
  async startAgain(): Promise<void> {
    this.child = this.launch();
    this.#listen();
    await this.#untilReady();
  }

  #listen(): void {
    const { child } = this;
    const closed = [new Promise<void>((resolve) => child.once('close', () => resolve()))];
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      const reader = createInterface({ input: stream }).on('line', (line) => this.lines.push(line));
      closed.push(new Promise((resolve) => reader.once('close', () => resolve())));
    }
    this.#closed = Promise.all(closed);
  }

  async #untilReady(): Promise<void> {
    const isReady = (): Promise<boolean> =>
      fetch(`${this.url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    const hasEnded = (): boolean => this.child.exitCode !== null || this.child.signalCode !== null;
    const ready = await eventually(isReady, (now) => now || hasEnded()).catch(() => false);
    if (ready) return;
    await this.kill();
    await this.#closed;
    throw new Error(`The service did not start:\n${this.lines.join('\n')}`);
  }

  /**
   * Sends a request as a user or an administrator, with an object as JSON or a text as CSV. Returns the envelope.
   * `more`: additional headers.
   */
  async send(
    userId: number,
    method: string,
    path: string,
    body?: object | string,
    role = 'user',
    more: Record<string, string> = {},
  ) {
    const token = await signToken({ sub: String(userId), role });
    const isText = typeof body === 'string';
    const type = isText ? 'text/csv' : 'application/json';
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': type }), ...more },
      body: isText ? body : body && JSON.stringify(body),
    });
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    if (!isJson && response.ok) return { code: 0, message: '', data: await response.text() };
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of any shape
    return (await response.json()) as { code: number; message: string; data: any };
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('The service was never started');
    return this.child.pid;
  }

  /** Kills the process with SIGKILL: no graceful shutdown, no flush. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  /** Sends SIGTERM. Returns the exit code; null if a signal ended the process. */
  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.exit();
  }

  /**
   * Waits until the process has ended and all its output has been read. Returns the exit code; null if a signal ended
   * it.
   */
  async exit(): Promise<number | null> {
    await this.#closed;
    return this.child.exitCode;
  }
}
