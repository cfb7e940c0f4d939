import { once } from 'node:events';
import { createConnection } from 'node:net';
import type { ReceivedResponse } from './exchange';

/** If the server sends nothing for this time, it is waiting for more of the request. */
const IDLE_MS = 500;

/** Writes bytes to a new connection. Returns the first response; undefined if the connection ended without one. */
export async function exchangeRaw(url: string, bytes: Buffer): Promise<ReceivedResponse | undefined> {
  const start = performance.now();
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.setTimeout(IDLE_MS, () => socket.end());
  socket.write(bytes);
  await once(socket, 'close');
  return readResponse(Buffer.concat(chunks).toString(), performance.now() - start);
}

function readResponse(text: string, ms: number): ReceivedResponse | undefined {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1]);
  if (Number.isNaN(status)) return undefined;
  // Skips an interim response.
  if (status === 100) return readResponse(rest.join('\r\n\r\n'), ms);
  const headers = Object.fromEntries(
    lines.map((header) => [
      header.slice(0, header.indexOf(':')).toLowerCase(),
      header.slice(header.indexOf(':') + 2),
    ]),
  );
  return { status, headers, text: rest.join('\r\n\r\n'), ms };
}
