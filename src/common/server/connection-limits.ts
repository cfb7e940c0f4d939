import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { tryTo } from '../../config/try-to';
import type { TrustsProxy } from '../../config/trusted-proxies';
import { addressKey } from './address-key';

/** File descriptors reserved for everything else: database connections, Redis, files, and those of Node itself. */
const RESERVED_DESCRIPTORS = 100;
/** Part of the maximum number of connections from which each new connection displaces one of the largest address. */
const CONTENDED_PART = 0.9;

/**
 * Returns the limit on open files of this process, or undefined if it is unknown. Node raises it to the hard limit at
 * its start.
 */
export function descriptorLimit(): number | undefined {
  const limits = tryTo(() => readFileSync('/proc/self/limits', 'utf8')) ?? '';
  const soft = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  return soft > 0 ? soft : undefined;
}

/**
 * Limits the connections of a server to less than the file descriptors of the process, so that descriptors are left for
 * the work. Near the limit, each new connection closes one of the address that has the most, so that a single address
 * cannot block all others. Connections of trusted proxies are never closed, because they serve many clients.
 * @param limit maximum number of descriptors of the process; undefined: unknown, and connections are not limited
 */
export function limitConnections(
  server: Server,
  trusts: TrustsProxy,
  limit: number | undefined = descriptorLimit(),
): void {
  if (limit === undefined) return;
  server.maxConnections = Math.max(limit - RESERVED_DESCRIPTORS, Math.ceil(limit / 2));
  // A worker would return the connection to the primary, which would offer it to full workers again and again.
  Object.assign(server, { dropMaxConnection: true });
  const shares = new ConnectionShares(Math.floor(server.maxConnections * CONTENDED_PART));
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress !== undefined && !trusts(remoteAddress)) shares.add(socket, addressKey(remoteAddress));
  });
}

/** Open connections by client address, in order of arrival. */
export class ConnectionShares {
  readonly #byAddress = new Map<string, Set<Socket>>();
  #count = 0;

  /** @param limit maximum number of connections */
  constructor(private readonly limit: number) {}

  /** Counts a connection until it is closed. If there are too many, closes one of the address that has the most. */
  add(socket: Socket, address: string): void {
    const ofAddress = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, ofAddress.add(socket));
    this.#count += 1;
    socket.once('close', () => this.#remove(socket, address));
    if (this.#count <= this.limit) return;

    let largest = ofAddress;
    for (const sockets of this.#byAddress.values()) if (sockets.size > largest.size) largest = sockets;
    // If the new connection is of the largest address, it is closed itself; otherwise the oldest one of that address.
    const [oldest] = largest;
    const excess = largest === ofAddress ? socket : oldest;
    excess?.destroy();
  }

  #remove(socket: Socket, address: string): void {
    const sockets = this.#byAddress.get(address);
    if (sockets?.delete(socket) !== true) return;
    this.#count -= 1;
    if (sockets.size === 0) this.#byAddress.delete(address);
  }
}
