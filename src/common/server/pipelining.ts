import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { BusinessError } from '../errors/business-error';

/**
 * Maximum number of requests on one connection that wait for earlier responses. Browsers and proxies do not pipeline.
 */
const MAX_WAITING = 32;

/** Node stores the current response of a socket in this internal property. */
type AnsweringSocket = Socket & { _httpMessage?: ServerResponse | null };

/** Requests of a connection that wait for earlier responses. */
interface Queue {
  waiting: number;
  /** Response of the last event stream on this connection. */
  stream?: ServerResponse;
}

/**
 * Limits pipelined requests. Node continues to read requests while a response is being sent, and keeps their responses
 * until the earlier ones are complete. After an event stream that never happens; therefore a request after a stream, or
 * too many waiting requests, closes the connection.
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
    const mustClose = isWaiting && (waiting >= MAX_WAITING || stream?.writableEnded === false);
    if (mustClose) {
      socket.destroy();
      return done(new BusinessError('UNAVAILABLE'));
    }
    const updated = queue ?? { waiting };
    queues.set(socket, updated);
    if (isLongLived) updated.stream = reply.raw;
    if (isWaiting) {
      updated.waiting += 1;
      reply.raw.once('close', () => (updated.waiting -= 1));
    }
    return done();
  });
}
