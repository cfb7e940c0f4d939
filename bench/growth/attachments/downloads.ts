import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { Pool } from 'undici';
import { freePort } from '../../../test/support/throwaway-mariadb.js';
import type { ServiceProcess } from '../../../test/support/service-process';
import { processorMicroseconds } from '../../speed/servers';
import type { Row } from '../measure';
import { uploadRandom } from './form';

/** Minimum speed, as a share of that of `@fastify/static` on the same file. */
const TARGET = 0.7;
const KIB = 1024;
/** Rounds of half a second and more: shorter ones measure the compilation of the service. */
const SIZES = [
  { name: '64 KiB', size: 64 * KIB, count: 2_000 },
  { name: '1 MiB', size: KIB * KIB, count: 200 },
  { name: '10 MiB', size: 10 * KIB * KIB, count: 8 },
];
const ROUNDS = 5;
const CONCURRENCY = 4;
const POLL_INTERVAL_MS = 20;
const USER = 1;

interface Stage {
  service: ServiceProcess;
  dataSource: DataSource;
  /** The folder of the storage. */
  folder: string;
}

/** A server, and the path of the file on it. */
interface Source {
  pool: Pool;
  pid: number;
  path: string;
}

/**
 * Downloads the same file from the service, by its signed URL, and from `@fastify/static`, each in a process of its own.
 * Rounds alternate, so that other load on the machine affects both alike.
 */
export async function compareDownloads({ service, dataSource, folder }: Stage): Promise<Row[]> {
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/bench/growth/static-server.js', folder, String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const pools = [service.url, `http://127.0.0.1:${port}`].map(
    (origin) => new Pool(origin, { connections: CONCURRENCY }),
  );
  try {
    await untilReady(`http://127.0.0.1:${port}`);
    const rows: Row[] = [];
    for (const { name, size, count } of SIZES) {
      const { id, url } = await uploadRandom(service, USER, size);
      const { pathname, search } = new URL(url);
      const [own, fixed] = pools as [Pool, Pool];
      const served = { pool: own, pid: service.pid, path: pathname + search };
      const plain = { pool: fixed, pid: child.pid ?? 0, path: await storedPath(dataSource, id) };
      rows.push(...(await compare(name, size, count, [served, plain])));
    }
    return rows;
  } finally {
    for (const pool of pools) await pool.destroy();
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

async function compare(
  name: string,
  size: number,
  count: number,
  [served, plain]: [Source, Source],
): Promise<Row[]> {
  const rates: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [own, fixed] = [await downloadAll(served, size, count), await downloadAll(plain, size, count)];
    // The first round is the warm-up.
    if (round === 0) continue;
    rates.push(fixed.ms / own.ms);
    costs.push(own.cpu / fixed.cpu);
  }
  const rate = medianOf(rates);
  return [
    {
      what: `download of ${name}: speed, relative to @fastify/static`,
      value: rate,
      unit: '×',
      target: `≥ ${TARGET}`,
      met: rate >= TARGET,
    },
    { what: `download of ${name}: processor time, relative to it`, value: medianOf(costs), unit: '×' },
  ];
}

/** Downloads a file `count` times over all connections. Returns the time, and the processor time of the server. */
async function downloadAll(
  { pool, pid, path }: Source,
  size: number,
  count: number,
): Promise<{ ms: number; cpu: number }> {
  let left = count;
  const cpu = processorMicroseconds(pid);
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left > 0) {
        left -= 1;
        const { statusCode, body } = await pool.request({ method: 'GET', path });
        let received = 0;
        for await (const chunk of body as AsyncIterable<Buffer>) received += chunk.length;
        if (statusCode !== 200 || received !== size) throw new Error(`${path}: ${statusCode}, ${received}`);
      }
    }),
  );
  return { ms: performance.now() - startedAt, cpu: processorMicroseconds(pid) - cpu };
}

/** Returns the path of a stored file below the folder of the storage. */
async function storedPath(dataSource: DataSource, id: number): Promise<string> {
  const [row] = await dataSource.query<{ storage_key: string }[]>(
    `SELECT storage_key FROM attachments WHERE id = ${id}`,
  );
  const key = row?.storage_key ?? '';
  return `/${key.slice(0, 2)}/${key}`;
}

async function untilReady(url: string): Promise<void> {
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await pause(POLL_INTERVAL_MS);
}

const medianOf = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
