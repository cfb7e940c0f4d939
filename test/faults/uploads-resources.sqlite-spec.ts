import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { ServiceProcess } from '../support/service-process';
import {
  answerOf,
  generatedBytes,
  TusClient,
  type UploadAnswer,
  writeAll,
} from '../support/streamed-uploads';
import { signToken } from '../support/tokens';

const MIB = 1024 * 1024;
const LIMIT_MIB = 32;
const MAX_ATTEMPTS = 5;
const FORM_START =
  '--b\r\nContent-Disposition: form-data; name="type"\r\n\r\nfile\r\n' +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';

describe('Uploads and downloads', () => {
  let folder: string;
  let database: TestDatabase;
  let service: ServiceProcess;
  /** Tokens of four users, each of whom may upload six files concurrently. */
  let tokens: string[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'callboard-uploads-'));
    database = await createMigratedDatabase();
    service = await ServiceProcess.start(database.url, { ATTACHMENT_STORAGE: `file:${folder}` });
    tokens = await Promise.all(['1', '2', '3', '4'].map((sub) => signToken({ sub, role: 'user' })));
    // Loads the modules of uploads. The files are small, so that the heap does not grow before it is measured.
    for (const send of [sendForm, sendInParts]) await downloaded(await send(1024));
  });
  afterAll(async () => {
    await service?.kill();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const tokenOf = (index: number): string => tokens[index % tokens.length] ?? '';
  const sendForm = async (size: number, index = 0): Promise<UploadAnswer> => {
    const sent = request(`${service.url}/api/attachments`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokenOf(index)}`,
        'content-type': 'multipart/form-data; boundary=b',
      },
    });
    const answer = answerOf(sent);
    sent.write(FORM_START);
    await writeAll(sent, generatedBytes(0, size));
    sent.end('\r\n--b--\r\n');
    return answer;
  };
  const sendInParts = async (size: number, index = 0): Promise<UploadAnswer> => {
    const client = new TusClient(service.url, tokenOf(index));
    return client.append(await client.create(size), 0, size);
  };
  const downloaded = async ({ body }: UploadAnswer): Promise<number> => {
    const { pathname, search } = new URL(body.data.url);
    const response = await fetch(service.url + pathname + search);
    let length = 0;
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) length += chunk.length;
    return length;
  };

  const memoryMiB = (name: 'VmRSS' | 'VmHWM'): number => {
    const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
  };
  /** Returns by how much work raises the memory of the process at its peak. */
  const addedMiB = async (work: () => Promise<unknown>): Promise<number> => {
    // Resets the peak to the current value.
    writeFileSync(`/proc/${service.pid}/clear_refs`, '5');
    const before = memoryMiB('VmRSS');
    await work();
    return memoryMiB('VmHWM') - before;
  };

  /** Repeats until the rise is below the limit, because it includes garbage of earlier requests. */
  const leastAddedMiB = async (work: () => Promise<unknown>): Promise<number> => {
    let least = Infinity;
    for (let attempt = 0; attempt < MAX_ATTEMPTS && least >= LIMIT_MIB; attempt += 1)
      least = Math.min(least, await addedMiB(work));
    return least;
  };

  it('add less than 32 MiB to the process, however large the file', async () => {
    for (const send of [sendForm, sendInParts]) {
      const added = await leastAddedMiB(async () => {
        expect(await downloaded(await send(100 * MIB))).toBe(100 * MIB);
      });
      expect(added).toBeLessThan(LIMIT_MIB);
    }
  });

  it('add less than 32 MiB to the process, 20 at the same time', async () => {
    for (const send of [sendForm, sendInParts]) {
      const twenty = Array.from({ length: 20 }, () => 10 * MIB);
      let answers: UploadAnswer[] = [];
      const received = await leastAddedMiB(async () => (answers = await Promise.all(twenty.map(send))));
      expect(answers.map(({ body }) => body.data.size)).toEqual(twenty);
      const sent = await leastAddedMiB(async () => {
        expect(await Promise.all(answers.map(downloaded))).toEqual(twenty);
      });
      expect(Math.max(received, sent)).toBeLessThan(LIMIT_MIB);
    }
  });

  /** Sets the system's limit on the size of files, at which writes fail like on a full disk. */
  const limitFiles = (bytes: string): void =>
    void execFileSync('prlimit', ['--pid', String(service.pid), `--fsize=${bytes}:unlimited`]);
  const files = (): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(folder, name)).isFile(),
    );

  it('are 503 on a full disk: a form leaves nothing, a resumable upload goes on later', async () => {
    const client = new TusClient(service.url, tokenOf(0));
    const path = await client.create(12 * MIB);
    const before = files();
    // More than the size of the database file.
    limitFiles(String(8 * MIB));
    try {
      expect((await sendForm(12 * MIB)).status).toBe(503);
      expect(files()).toEqual(before);
      expect((await client.append(path, 0, 12 * MIB)).status).toBe(503);
    } finally {
      limitFiles('unlimited');
    }
    const { offset } = await client.state(path);
    // The last chunk may have been written in part.
    expect(offset).toBeGreaterThan(7 * MIB);
    expect(offset).toBeLessThanOrEqual(8 * MIB);
    const answer = await client.append(path, offset, 12 * MIB);
    expect(answer.status).toBe(200);
    expect(await downloaded(answer)).toBe(12 * MIB);
  });
});
