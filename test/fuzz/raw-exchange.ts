import { once } from 'node:events';
import { createConnection } from 'node:net';
import type { Answer } from './exchange';

/** After so long without a word, the server waits for the rest of a request that has none. */
const IDLE_MS = 500;

/** Writes the bytes to a connection of their own; the first answer, or undefined when the connection ended without. */
export async function exchangeRaw(url: string, bytes: Buffer): Promise<Answer | undefined> {
  const start = performance.now();
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.setTimeout(IDLE_MS, () => socket.end());
  socket.write(bytes);
  await once(socket, 'close');
  return readAnswer(Buffer.concat(chunks).toString(), performance.now() - start);
}

function readAnswer(text: string, ms: number): Answer | undefined {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1]);
  if (Number.isNaN(status)) return undefined;
  // After an interim answer comes the real one.
  if (status === 100) return readAnswer(rest.join('\r\n\r\n'), ms);
  const headers = Object.fromEntries(
    lines.map((header) => [
      header.slice(0, header.indexOf(':')).toLowerCase(),
      header.slice(header.indexOf(':') + 2),
    ]),
  );
  return { status, headers, text: rest.join('\r\n\r\n'), ms };
}
