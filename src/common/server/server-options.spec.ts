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

describe('traceRequests', () => {
  it.each<[string, number, Parameters<typeof levelOf>[1], number]>([
    ['logs at debug level in production', 20, { mode: 'production' }, DEBUG],
    ['logs at info level in development', 20, { mode: 'development' }, INFO],
    ['logs a slow request as a warning', 1_000, { mode: 'production' }, WARN],
    ['does not warn about a long-lived stream', 900_000, { mode: 'production', longLived: true }, DEBUG],
  ])('%s', async (_what, ms, config, level) => expect(await levelOf(ms, config)).toBe(level));
});

describe('serverOptions', () => {
  it.each([
    ['10', 60_000],
    ['60', 70_000],
    ['600', 610_000],
  ])('sets a connection timeout above a request timeout of %s s', (seconds, silence) => {
    const config = loadConfig({ REQUEST_TIMEOUT_SECONDS: seconds });
    expect(serverOptions(config).connectionTimeout).toBe(silence);
  });

  it.each(['true', 'false', '0.0.0.0/0', '10.0.0.0/8, loopback', '::ffff:10.0.0.0/104', 'fe80::1%eth0'])(
    'accepts every valid TRUST_PROXY, such as %s',
    (text) => {
      const { trustProxy } = serverOptions(loadConfig({ TRUST_PROXY: text }));
      expect(() => fastify({ trustProxy })).not.toThrow();
    },
  );
});
