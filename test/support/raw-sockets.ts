import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection to which bytes are written manually. */
export interface RawSocket {
  socket: Socket;
  received: () => string;
  isOpen: () => boolean;
  /** Resolves with everything that was received, once the connection is closed. */
  closed: Promise<string>;
}

/** Connects to a service, optionally from another address of this machine. */
export async function connectRaw(url: string, localAddress = '127.0.0.1'): Promise<RawSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  let text = '';
  let isOpen = true;
  const closed = Promise.withResolvers<string>();
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => (text += chunk));
  // Errors end the connection like a regular close.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isOpen = false;
    closed.resolve(text);
  });
  await Promise.race([once(socket, 'connect'), closed.promise]);
  return { socket, received: () => text, isOpen: () => isOpen, closed: closed.promise };
}

/** Opens several connections concurrently. */
export const connectMany = (count: number, url: string, localAddress?: string): Promise<RawSocket[]> =>
  Promise.all(Array.from({ length: count }, () => connectRaw(url, localAddress)));

/** Returns the head of a POST whose body is announced but not sent. */
export const postHead = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
