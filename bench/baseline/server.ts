import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { calls } from './calls';
import { conversations } from './conversations';
import { deviceGroups } from './device-groups';
import { history } from './history';
import { HttpError, SECURITY_HEADERS } from './http';
import { notifications } from './notifications';
import { sends } from './sends';

/*
 * The baseline: shows what the machine can do. Implements the measured endpoints by hand, on its own schema
 * (`tables.ts`), with the same responses. It uses no framework but Fastify, validates no more than the measured
 * requests need, logs neither requests nor events, and uses prepared statements, as few as possible. It is not a
 * service: requests that are never measured return 501.
 */

const server = Fastify({ logger: false, genReqId: () => randomUUID() });
server.addHook('onRequest', (request, reply, done) => {
  void reply.headers(SECURITY_HEADERS).header('X-Request-Id', request.id);
  done();
});
server.setErrorHandler((error, _request, reply) => {
  const { status, code, message } =
    error instanceof HttpError ? error : { status: 500, code: 500, message: String(error) };
  return reply.status(status).send({ code, message, data: null });
});
server.get('/health/ready', () => ({ status: 'ok' }));
for (const family of [notifications, conversations, history, sends, deviceGroups, calls]) family(server);

process.on('SIGTERM', () => process.exit(0));
server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' }).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
