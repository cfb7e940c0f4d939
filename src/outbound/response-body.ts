import type { Readable } from 'node:stream';

/** Maximum number of bytes read of a response. */
const MAX_BYTES = 65_536;
/** Maximum time to discard a body. Its attempt has ended, so the connection is not counted by the concurrency limit. */
const DISCARD_TIMEOUT_MS = 1_000;

/**
 * Reads the first 64 KiB of a response as text; invalid UTF-8 becomes replacement characters. A longer response closes
 * its connection. If the response breaks off or times out, returns what was received.
 */
export async function readResponseBody(response: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length >= MAX_BYTES) break;
    }
  } catch {
    // The status and the headers were received; an incomplete body is no error.
  }
  return Buffer.concat(parts).subarray(0, MAX_BYTES).toString('utf8');
}

/** Discards a body so that its connection can be reused; closes the connection if the body is too long or too slow. */
export function discardBody(response: Readable): void {
  let length = 0;
  const timer = setTimeout(() => response.destroy(), DISCARD_TIMEOUT_MS);
  response.once('close', () => clearTimeout(timer));
  response.on('data', ({ length: chunkLength }: Buffer) => {
    length += chunkLength;
    if (length >= MAX_BYTES) response.destroy();
  });
  response.on('error', () => undefined);
}
