import { Pool } from 'undici';
import { signToken } from '../../../test/support/tokens';
import type { ServiceProcess } from '../../../test/support/service-process';
import type { Row } from '../measure';
import { uploadRandom } from './form';

/** Maximum time of a read while files are uploaded, relative to one without uploads. */
const TARGET = 1.3;
const UPLOADS = 20;
/** A client at 10 Mbit/s. */
const BYTES_PER_SECOND = 1_250_000;
const FILE_BYTES = 4 * 1024 * 1024;
const ROUNDS = 5;
const READS = 200;
const READER = 1;
const FIRST_UPLOADER = 100;
const PATHS = ['/api/messages/conversations', '/api/notifications/unread-count', '/api/auth/me'];

/** Reads one after another, alternately without uploads and while the instance receives as many files as it accepts. */
export async function compareReads(service: ServiceProcess): Promise<Row[]> {
  const pool = new Pool(service.url, { connections: 1 });
  const authorization = `Bearer ${await signToken({ sub: String(READER) })}`;
  const read = async (path: string): Promise<number> => {
    const startedAt = performance.now();
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers: { authorization } });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
    return performance.now() - startedAt;
  };
  const alone: number[] = [];
  const beside: number[] = [];
  try {
    await readAll(read);
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(medianOf(await readAll(read)));
      beside.push(medianOf(await besideUploads(service, () => readAll(read))));
    }
  } finally {
    await pool.destroy();
  }
  const ratio = medianOf(beside) / medianOf(alone);
  return [
    { what: 'a read without uploads, median', value: medianOf(alone), unit: 'ms' },
    {
      what: `a read beside ${UPLOADS} uploads of 10 Mbit/s, relative to it`,
      value: ratio,
      unit: '×',
      target: `≤ ${TARGET}`,
      met: ratio <= TARGET,
    },
  ];
}

async function readAll(read: (path: string) => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < READS; count += 1) times.push(await read(PATHS[count % PATHS.length] ?? ''));
  return times;
}

/** Runs `work` while 20 clients upload one file after another. */
async function besideUploads<T>(service: ServiceProcess, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const uploads = Array.from({ length: UPLOADS }, async (_, index) => {
    while (!over.signal.aborted)
      await uploadRandom(service, FIRST_UPLOADER + index, FILE_BYTES, BYTES_PER_SECOND);
  });
  try {
    return await work();
  } finally {
    over.abort();
    await Promise.all(uploads);
  }
}

const medianOf = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
