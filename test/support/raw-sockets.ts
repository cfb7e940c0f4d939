import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection that bytes are written to by hand, and what came back on it. */
export interface RawSocket {
  socket: Socket;
  received: () => string;
  isOpen: () => boolean;
  /** All that was received, once it is closed. */
  closed: Promise<string>;
}

/** Connects to a service, from another address of this machine when one is given. */
export async function connectRaw(url: string, localAddress = '127.0.0.1'): Promise<RawSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  let text = '';
  let isOpen = true;
  const closed = Promise.withResolvers<string>();
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => (text += chunk));
  // However it ends, it ends.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isOpen = false;
    closed.resolve(text);
  });
  await Promise.race([once(socket, 'connect'), closed.promise]);
  return { socket, received: () => text, isOpen: () => isOpen, closed: closed.promise };
}

/** Several at once. */
export const connectMany = (count: number, url: string, localAddress?: string): Promise<RawSocket[]> =>
  Promise.all(Array.from({ length: count }, () => connectRaw(url, localAddress)));

/** A POST whose body is announced, and not sent. */
export const postHead = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
