import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { signToken } from '../../../test/support/tokens';
import type { ServiceProcess } from '../../../test/support/service-process';

const BOUNDARY = 'boundary-of-the-benchmark';
const HEAD = [
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="type"\r\n\r\nfile\r\n`,
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`,
].join('');
const TAIL = `\r\n--${BOUNDARY}--\r\n`;
const CHUNK = randomBytes(64 * 1024);

/** An attachment, as the service describes it. */
interface Uploaded {
  id: number;
  url: string;
}

/**
 * Uploads a file of random bytes.
 * @param bytesPerSecond of a client on a slower network; by default as fast as possible
 */
export async function uploadRandom(
  { url }: ServiceProcess,
  user: number,
  size: number,
  bytesPerSecond = Infinity,
): Promise<Uploaded> {
  const { body } = await request(`${url}/api/attachments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await signToken({ sub: String(user) })}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': String(HEAD.length + size + TAIL.length),
    },
    body: Readable.from(formOf(size, bytesPerSecond), { objectMode: false }),
  });
  const { code, message, data } = (await body.json()) as { code: number; message: string; data: Uploaded };
  if (code !== 0) throw new Error(`The upload failed: ${code} ${message}`);
  return data;
}

async function* formOf(size: number, bytesPerSecond: number): AsyncGenerator<Buffer> {
  const startedAt = performance.now();
  yield Buffer.from(HEAD);
  for (let sent = 0; sent < size; sent += CHUNK.length) {
    const aheadMs = (sent / bytesPerSecond) * 1_000 - (performance.now() - startedAt);
    if (aheadMs > 0) await pause(aheadMs);
    yield CHUNK.subarray(0, Math.min(CHUNK.length, size - sent));
  }
  yield Buffer.from(TAIL);
}
