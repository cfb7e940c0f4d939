import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { BusinessError } from '../errors/business-error';

/** Requests on one connection that may wait for the answers before theirs. Browsers and proxies send none so. */
const MAX_WAITING = 32;

/** Node's own note on a socket of the answer under way. */
type AnsweringSocket = Socket & { _httpMessage?: ServerResponse | null };

/** Whose turn on a connection has not come yet. */
interface Queue {
  waiting: number;
  /** The answer of the last event stream on this connection. */
  stream?: ServerResponse;
}

/**
 * Node reads on while an answer is under way, and keeps the answers to what it read until their turn comes. Behind an
 * event stream that is never; so a request there, or too many elsewhere, ends the connection.
 */
export function limitPipelining(fastify: FastifyInstance): void {
  const queues = new WeakMap<Socket, Queue>();

  fastify.addHook('onRequest', ({ raw, routeOptions }, reply, done) => {
    const socket = raw.socket as AnsweringSocket;
    const queue = queues.get(socket);
    const isWaiting = socket._httpMessage != null && socket._httpMessage !== reply.raw;
    const isLongLived = routeOptions.config.longLived === true;
    if (!isWaiting && !isLongLived) return done();

    const { waiting = 0, stream } = queue ?? {};
    const isInVain = isWaiting && (waiting >= MAX_WAITING || stream?.writableEnded === false);
    if (isInVain) {
      socket.destroy();
      return done(new BusinessError('UNAVAILABLE'));
    }
    const own = queue ?? { waiting };
    queues.set(socket, own);
    if (isLongLived) own.stream = reply.raw;
    if (isWaiting) {
      own.waiting += 1;
      reply.raw.once('close', () => (own.waiting -= 1));
    }
    return done();
  });
}
