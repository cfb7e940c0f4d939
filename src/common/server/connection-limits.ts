import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TrustsProxy } from '../../config/trusted-proxies';
import { addressKey } from './address-key';

/** Descriptors for all else: the database's connections, Redis, files, and what Node itself holds. */
const DESCRIPTORS_KEPT = 100;
/** From this share of what a server may have, addresses share what there is. */
const SHARED_FROM = 0.9;

/** The limit on this process's open files, where the system tells it; Node raises it to the hard one at its start. */
export function descriptorLimit(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const soft = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
    return soft > 0 ? soft : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keeps a server's connections below what the process may have open, so that there is always a descriptor for the
 * work. Before that is reached, whoever has most of them loses one to each newcomer: one address with very many keeps
 * nobody out. A trusted proxy's belong to many people, so they are never taken.
 * @param limit how many descriptors the process may have; undefined: nobody knows, and connections are not limited
 */
export function limitConnections(
  server: Server,
  trusts: TrustsProxy,
  limit: number | undefined = descriptorLimit(),
): void {
  if (limit === undefined) return;
  server.maxConnections = Math.max(limit - DESCRIPTORS_KEPT, Math.ceil(limit / 2));
  const shares = new ConnectionShares(Math.floor(server.maxConnections * SHARED_FROM));
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress !== undefined && !trusts(remoteAddress)) shares.add(socket, addressKey(remoteAddress));
  });
}

/** The open connections by the address that they come from, in the order in which they came. */
export class ConnectionShares {
  readonly #byAddress = new Map<string, Set<Socket>>();
  #count = 0;

  /** @param most how many there may be */
  constructor(private readonly most: number) {}

  /** Counts a connection until it is closed; where there are too many, the address with most of them loses one. */
  add(socket: Socket, address: string): void {
    const own = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, own.add(socket));
    this.#count += 1;
    socket.once('close', () => this.#remove(socket, address));
    if (this.#count <= this.most) return;

    let largest = own;
    for (const sockets of this.#byAddress.values()) if (sockets.size > largest.size) largest = sockets;
    // Who has most already gets no more; else the oldest goes, as likely idle as any.
    const [oldest] = largest;
    const last = largest === own ? socket : oldest;
    last?.destroy();
  }

  #remove(socket: Socket, address: string): void {
    const sockets = this.#byAddress.get(address);
    if (sockets?.delete(socket) !== true) return;
    this.#count -= 1;
    if (sockets.size === 0) this.#byAddress.delete(address);
  }
}
