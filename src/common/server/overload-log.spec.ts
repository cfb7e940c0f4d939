import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import fastify, { type FastifyInstance } from 'fastify';
import { loadConfig } from '../../config/config';
import { currentRequest } from '../concurrency/current-caller';
import { CallerShares } from './caller-shares';
import { shedLoad } from './overload';

describe('shedLoad', () => {
  let server: FastifyInstance;
  const lines: Record<string, unknown>[] = [];
  const finish = Promise.withResolvers<void>();
  beforeAll(async () => {
    const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
    server = fastify({ logger: { level: 'warn', stream } });
    const config = loadConfig({ MAX_REQUESTS_IN_FLIGHT: '1' });
    const shares = new CallerShares(config);
    const app = {
      get: () => shares,
      getHttpAdapter: () => ({ getInstance: () => server }),
    } as unknown as NestFastifyApplication;
    shedLoad(app, config);
    server.setErrorHandler((_error, _request, reply) => reply.code(503).send());
    server.get('/api/slow', async () => finish.promise);
    server.get('/api/left', () => currentRequest());
    server.addHook('preParsing', ({ url }, { raw }, payload, done) => {
      if (url === '/api/left') Object.defineProperty(raw, 'destroyed', { value: true, configurable: true });
      done(null, payload);
    });
    server.addHook('onSend', (_request, { raw }, payload, done) => {
      Reflect.deleteProperty(raw, 'destroyed');
      done(null, payload);
    });
    await server.ready();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    finish.resolve();
    await server?.close();
  });

  it('runs a request whose client has disconnected as the current request, without counting it', async () => {
    const { body } = await server.inject('/api/left');
    expect(JSON.parse(body)).toEqual({ isUncounted: true });
  });

  it('logs one warning in 10 s, with the limit that was hit', async () => {
    // An integer: adding 10,000 to a fraction can result in slightly less than 10,000 more.
    const start = 1_000_000;
    const now = jest.spyOn(performance, 'now').mockReturnValue(start);
    const request = async (): Promise<number> => (await server.inject('/api/slow')).statusCode;
    const inFlight = request();
    for (let count = 0; count < 3; count += 1) expect(await request()).toBe(503);
    now.mockReturnValue(start + 9_999);
    expect(await request()).toBe(503);
    const warning = { level: 40, msg: 'overloaded: requests are refused', why: 'requestsInFlight', value: 1 };
    expect(lines).toEqual([expect.objectContaining(warning)]);
    now.mockReturnValue(start + 10_000);
    expect(await request()).toBe(503);
    expect(lines).toEqual([expect.objectContaining(warning), expect.objectContaining(warning)]);
    now.mockRestore();
    finish.resolve();
    expect(await inFlight).toBe(200);
  });
});
