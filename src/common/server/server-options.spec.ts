import { PassThrough } from 'node:stream';
import fastify, { LogController } from 'fastify';
import { type Config, loadConfig } from '../../config/config';
import { serverOptions, traceRequests } from './server-options';

const DEBUG = 20;
const INFO = 30;
const WARN = 40;

/** Returns the log level of a request that took `ms` milliseconds. */
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

describe('The server', () => {
  it.each([
    ['10', 60_000],
    ['60', 70_000],
    ['600', 610_000],
  ])(
    'where an answer may take %s s takes no shorter silence for a client that is gone',
    (seconds, silence) => {
      const config = loadConfig({ REQUEST_TIMEOUT_SECONDS: seconds });
      expect(serverOptions(config).connectionTimeout).toBe(silence);
    },
  );

  it.each(['true', 'false', '0.0.0.0/0', '10.0.0.0/8, loopback', '::ffff:10.0.0.0/104', 'fe80::1%eth0'])(
    'can be made with every TRUST_PROXY that the configuration takes, such as %s',
    (text) => {
      const { trustProxy } = serverOptions(loadConfig({ TRUST_PROXY: text }));
      expect(() => fastify({ trustProxy })).not.toThrow();
    },
  );
});
