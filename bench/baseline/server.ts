import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { calls } from './calls';
import { conversations } from './conversations';
import { deviceGroups } from './device-groups';
import { history } from './history';
import { Refusal } from './http';
import { notifications } from './notifications';
import { sends } from './sends';

/*
 * What the machine can do: the measured endpoints by hand, on tables of their own (`tables.ts`), with the same answers.
 * No framework but Fastify, no validation beyond what the measured requests need, no log, neither of requests nor of
 * events; prepared statements, as few as possible. It is a yardstick, not a service: what is never measured is a 501.
 */

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';" +
    "img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

const server = Fastify({ logger: false, genReqId: () => randomUUID() });
server.addHook('onRequest', (request, reply, done) => {
  void reply.headers(SECURITY_HEADERS).header('X-Request-Id', request.id);
  done();
});
server.setErrorHandler((error, _request, reply) => {
  const { status, code, message } =
    error instanceof Refusal ? error : { status: 500, code: 500, message: String(error) };
  return reply.status(status).send({ code, message, data: null });
});
server.get('/health/ready', () => ({ status: 'ok' }));
for (const family of [notifications, conversations, history, sends, deviceGroups, calls]) family(server);

process.on('SIGTERM', () => process.exit(0));
server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' }).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
