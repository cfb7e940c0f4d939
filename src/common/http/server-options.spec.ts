import { PassThrough } from 'node:stream';
import fastify, { LogController } from 'fastify';
import type { Config } from '../../config/config';
import { traceRequests } from './server-options';

const DEBUG = 20;
const INFO = 30;
const WARN = 40;

/** The level of the line about a request that took so long. */
async function levelOf(ms: number, config: { mode: Config['mode']; longLived?: boolean }): Promise<number> {
  const lines = new PassThrough();
  const server = fastify({
    logger: { level: 'trace', stream: lines },
    logController: new LogController({ disableRequestLogging: true }),
  });
  traceRequests(server, { mode: config.mode } as Config);
  server.get('/', { config: { longLived: config.longLived } }, (_request, reply) => {
    Object.defineProperty(reply, 'elapsedTime', { value: ms });
    return 'done';
  });
  await server.inject('/');
  await server.close();
  const line = String(lines.read());
  return (JSON.parse(line) as { level: number }).level;
}

describe('The line about a request', () => {
  it.each<[string, number, Parameters<typeof levelOf>[1], number]>([
    ['is for debugging in production', 20, { mode: 'production' }, DEBUG],
    ['informs while developing', 20, { mode: 'development' }, INFO],
    ['warns of a slow one', 1_000, { mode: 'production' }, WARN],
    [
      'does not warn of a stream, which is meant to last',
      900_000,
      { mode: 'production', longLived: true },
      DEBUG,
    ],
  ])('%s', async (_what, ms, config, level) => expect(await levelOf(ms, config)).toBe(level));
});
