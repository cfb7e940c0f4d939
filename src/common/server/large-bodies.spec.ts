import { brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import compress from '@fastify/compress';
import fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { compressLargeBodies } from './large-bodies';

/** 65,536 bytes of JSON. */
const LARGE = { text: `${'说'.repeat(21_841)}xx` };
const SMALL = { text: 'x'.repeat(2_000) };

describe('An answer of 64 KiB and more', () => {
  let server: FastifyInstance;
  beforeEach(async () => {
    server = fastify();
    compressLargeBodies(server);
    await server.register(compress);
    server.get('/large', () => LARGE);
    server.get('/small', () => SMALL);
  });
  afterEach(() => server.close());

  const get = (url: string, encoding?: string): Promise<LightMyRequestResponse> =>
    server.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });

  it('is compressed by brotli when the client accepts it', async () => {
    const { headers, rawPayload } = await get('/large', 'gzip, br');
    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(headers['content-length']).toBe(String(rawPayload.length));
    expect(JSON.parse(brotliDecompressSync(rawPayload).toString())).toEqual(LARGE);
  });

  it('is compressed by gzip at its cheapest level when the client accepts nothing better', async () => {
    const { headers, rawPayload } = await get('/large', 'gzip');
    expect(headers['content-encoding']).toBe('gzip');
    expect(rawPayload).toEqual(gzipSync(JSON.stringify(LARGE), { level: constants.Z_BEST_SPEED }));
    expect(JSON.parse(gunzipSync(rawPayload).toString())).toEqual(LARGE);
  });

  it.each([undefined, 'deflate', 'identity', 'br;q=0'])(
    'is sent as it is when Accept-Encoding is %s',
    async (encoding) => {
      const { headers, json } = await get('/large', encoding);
      expect(headers['content-encoding']).toBeUndefined();
      expect(json()).toEqual(LARGE);
    },
  );

  it('is sent as it is while two others are being compressed', async () => {
    // All three are answered in the same turn of the event loop, in which no compression can end.
    const arrived = Promise.withResolvers<void>();
    let count = 0;
    server.get('/together', async () => {
      count += 1;
      if (count === 3) arrived.resolve();
      await arrived.promise;
      return LARGE;
    });
    const answers = await Promise.all([1, 2, 3].map(() => get('/together', 'br')));
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'br', undefined]);
    expect(answers[2]?.json()).toEqual(LARGE);
    expect((await get('/together', 'br')).headers['content-encoding']).toBe('br');
  });

  it('is not compressed for HEAD', async () => {
    const answer = await server.inject({
      method: 'HEAD',
      url: '/large',
      headers: { 'accept-encoding': 'br' },
    });
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, undefined]);
  });

  it('gives way to an answer that is sent while it is being compressed', async () => {
    server.get('/overdue', (_request, reply) => {
      void reply.send(LARGE);
      void reply.code(503).send({ text: 'overdue' });
    });
    const { statusCode, headers, json } = await get('/overdue', 'br');
    expect([statusCode, headers['content-encoding']]).toEqual([503, undefined]);
    expect(json()).toEqual({ text: 'overdue' });
    // The slot is free again; the late result has no effect.
    expect((await get('/large', 'br')).headers['content-encoding']).toBe('br');
  });

  it('differs from a smaller one, which is compressed however many there are', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => get('/small', 'br')));
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'br', 'br']);
  });
});
