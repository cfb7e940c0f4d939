import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { limitPipelining } from './pipelining';

describe('limitPipelining', () => {
  let server: FastifyInstance;
  let socket: Socket;
  let received: number;
  let closed: number;
  let allReceived: PromiseWithResolvers<void>;
  let allClosed: PromiseWithResolvers<void>;
  const REQUESTS = 4;

  beforeEach(async () => {
    [received, closed] = [0, 0];
    allReceived = Promise.withResolvers();
    allClosed = Promise.withResolvers();
    server = fastify();
    limitPipelining(server);
    server.addHook('onRequest', (_request, reply, done) => {
      received += 1;
      reply.raw.once('close', () => {
        closed += 1;
        if (closed === REQUESTS) allClosed.resolve();
      });
      if (received === REQUESTS) allReceived.resolve();
      done();
    });
    server.get('/never', () => new Promise(() => undefined));
    server.get('/at-once', () => 'done');
    const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
    socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
  });
  afterEach(async () => {
    socket.destroy();
    await server.close();
  });

  const send = (...paths: string[]): void => {
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`).join(''));
  };

  // The count of requests in flight relies on this. Node before 22 did not close them.
  it('leaves waiting responses to Node, which closes them when the connection ends', async () => {
    send('/never', '/at-once', '/never', '/at-once');
    await allReceived.promise;
    socket.destroy();
    await allClosed.promise;
    expect(closed).toBe(4);
  });

  it('closes a connection on which more than 32 requests wait', async () => {
    send(...Array.from({ length: 34 }, () => '/never'));
    await once(socket.resume(), 'close');
    expect(received).toBe(33);
  });
});
