import { EventEmitter } from 'node:events';
import { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ConnectionShares, limitConnections } from './connection-limits';

/** A connection that closes immediately when it is destroyed. */
class FakeSocket extends EventEmitter {
  destroy(): void {
    this.emit('close');
  }
}

describe('Connections', () => {
  /** Opens connections, named by address and number, and returns the names of those that are still open. */
  const openAfter = (limit: number, names: string[]): string[] => {
    const shares = new ConnectionShares(limit);
    const open = new Set<string>();
    for (const name of names) {
      const socket = new FakeSocket();
      open.add(name);
      socket.on('close', () => open.delete(name));
      shares.add(socket as unknown as Socket, name.slice(0, 1));
    }
    return [...open];
  };

  it('are all kept below the limit', () => {
    expect(openAfter(4, ['a1', 'a2', 'a3', 'b1'])).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it('are closed at the address with the most of them, oldest first, when another address connects', () => {
    expect(openAfter(4, ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'])).toEqual(['a3', 'a4', 'b1', 'c1']);
  });

  it('are rejected for the address with the most of them', () => {
    expect(openAfter(4, ['a1', 'a2', 'a3', 'b1', 'a4', 'a5'])).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it.each([
    [20_000, 19_900],
    [512, 412],
    [64, 32],
  ])('of a process that may open %p files are limited to %p', (limit, max) => {
    const server = new Server();
    limitConnections(server, () => false, limit);
    expect(server.maxConnections).toBe(max);
  });
});
