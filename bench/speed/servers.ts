import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/throwaway-mariadb.js';
import { SECRET } from '../tokens';

const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 5;
/** Unit of process times in the kernel. */
const TICKS_PER_SECOND = 100;

/** Agora's example credentials, so that media tokens are generated as in production. */
const AGORA = {
  AGORA_APP_ID: '970ca35de60c44645bbae8a215061b33',
  AGORA_APP_CERTIFICATE: '5cfd2fd1755d40ecb72977518be15d3b',
};

/** A server under test in a separate process. */
export interface Server {
  name: 'service' | 'baseline' | 'floor';
  url: string;
  pid: number;
  /** Milliseconds from the start of the process until it was ready. */
  startMs: number;
  stop(): Promise<void>;
}

const ENTRY = {
  service: 'dist/bundle/main.js',
  baseline: 'dist/bench/baseline/server.js',
  floor: 'dist/bench/floor/server.js',
};

/**
 * Starts a server as in production and waits until it is ready.
 * @param processes number of workers of the service
 */
export async function startServer(name: Server['name'], databaseUrl: string, processes = 1): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = performance.now();
  const child = spawn(process.execPath, [ENTRY[name]], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      JWT_SECRET: SECRET,
      RATE_LIMIT_PER_MINUTE: '0',
      WEB_CONCURRENCY: String(processes),
      HOST: '127.0.0.1',
      PORT: String(port),
      ...AGORA,
    },
    // The log leaves the process, as it does in a container.
    stdio: ['ignore', processes > 1 && name === 'service' ? 'pipe' : 'ignore', 'inherit'],
  });
  await Promise.all([untilReady(child, url), child.stdout && untilAllReady(child.stdout, processes)]);
  const startMs = performance.now() - start;
  return {
    name,
    url,
    pid: child.pid ?? 0,
    startMs,
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const giveUpAt = performance.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && performance.now() < giveUpAt) {
    const isReady = await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await pause(POLL_INTERVAL_MS);
  }
  child.kill('SIGKILL');
  throw new Error(`${child.spawnargs.join(' ')} did not become ready`);
}

/** Waits for the log line of each worker that accepts requests. The rest of the log is discarded. */
function untilAllReady(log: Readable, processes: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let ready = 0;
  createInterface({ input: log }).on('line', (line) => {
    if (line.includes(' is ready at ')) ready += 1;
    if (ready === processes) resolve();
  });
  return promise;
}

/** Returns a process and its workers. Workers that have ended are not known any more. */
const withWorkers = (pid: number): number[] => [
  pid,
  ...(readProc(pid, `task/${pid}/children`)?.split(' ').filter(Boolean).map(Number) ?? []),
];

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** Processor time of a process and its workers in seconds; 0 if the system does not provide it. */
export function processorSeconds(pid: number): number {
  const ticks = withWorkers(pid).map((one) => {
    const fields = readProc(one, 'stat')?.split(') ').at(-1)?.split(' ');
    return Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0);
  });
  return sum(ticks) / TICKS_PER_SECOND;
}

/**
 * Processor time of all threads of a process and its workers in microseconds, from the scheduler, whose resolution is
 * finer than that of `processorSeconds`; 0 if the system does not provide it. Threads must not end between two readings.
 */
export const processorMicroseconds = (pid: number): number =>
  sum(
    withWorkers(pid).flatMap((one) =>
      threadsOf(one).map((id) => Number(readProc(one, `task/${id}/schedstat`)?.split(' ')[0] ?? 0)),
    ),
  ) / 1000;

/** Memory of a process and its workers in MiB; 0 if the system does not provide it. */
export const residentMiB = (pid: number): number =>
  sum(withWorkers(pid).map((one) => Number(/VmRSS:\s+(\d+)/.exec(readProc(one, 'status') ?? '')?.[1] ?? 0))) /
  1024;

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
