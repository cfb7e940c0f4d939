import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestDatabase } from '../support/database';
import { createMigratedDatabase } from '../support/migrated-database';
import { eventually, ServiceProcess } from '../support/service-process';
import { generatedBytes, TusClient, writeAll } from '../support/streamed-uploads';
import { signToken } from '../support/tokens';

const MIB = 1024 * 1024;
const SIZE = 40 * MIB;
const SENT = 20 * MIB;

describe('A resumable upload whose instance is killed', () => {
  let folder: string;
  let database: TestDatabase;
  let instances: ServiceProcess[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'callboard-uploads-'));
    database = await createMigratedDatabase();
    const start = (): Promise<ServiceProcess> =>
      ServiceProcess.start(database.url, { ATTACHMENT_STORAGE: `file:${folder}` });
    instances = [await start(), await start()];
  });
  afterAll(async () => {
    for (const instance of instances) await instance.kill();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('goes on at another instance, from the last bytes that are durable', async () => {
    const [first, second] = instances as [ServiceProcess, ServiceProcess];
    const token = await signToken({ sub: '1', role: 'user' });
    const path = await new TusClient(first.url, token).create(SIZE);
    const interrupted = new TusClient(first.url, token).patch(path, 0, SIZE);
    interrupted.on('error', () => undefined);
    await writeAll(interrupted, generatedBytes(0, SENT));
    const draft = join(folder, 'drafts', 'resumable', path.split('/').at(-1) ?? '');
    await eventually(
      () => Promise.resolve(statSync(draft).size),
      (size) => size === SENT,
    );
    await first.kill();

    const client = new TusClient(second.url, token);
    // The lock of the killed process ends with its lease.
    const { offset } = await eventually(
      () => client.state(path),
      ({ status }) => status === 200,
    );
    expect(offset).toBeGreaterThanOrEqual(8 * MIB);
    expect(offset).toBeLessThanOrEqual(SENT);
    const { status, body } = await client.append(path, offset, SIZE);
    expect({ status, size: body.data.size }).toEqual({ status: 200, size: SIZE });

    const { pathname, search } = new URL(body.data.url);
    const response = await fetch(second.url + pathname + search);
    const [received, expected] = [createHash('sha256'), createHash('sha256')];
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) received.update(chunk);
    for (const chunk of generatedBytes(0, SIZE)) expected.update(chunk);
    expect(received.digest('hex')).toBe(expected.digest('hex'));
  });
});
