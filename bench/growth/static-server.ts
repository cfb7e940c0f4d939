import fastifyStatic from '@fastify/static';
import Fastify from 'fastify';

/*
 * Serves the files of a folder with `@fastify/static` alone, as the baseline for downloads. Arguments: folder and port.
 */

const [root = '', port] = process.argv.slice(2);
const server = Fastify({ logger: false });
server.get('/health/ready', () => ({ status: 'ok' }));
void server.register(fastifyStatic, { root });

process.on('SIGTERM', () => process.exit(0));
server.listen({ port: Number(port), host: '127.0.0.1' }).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
