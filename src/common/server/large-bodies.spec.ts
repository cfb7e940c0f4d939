import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import compress from '@fastify/compress';
import fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { runForRequest } from '../concurrency/current-caller';
import { varyByEncoding } from '../http/encodings';
import { compressLargeBodies } from './large-bodies';

const LARGE_BYTES = 65_536;
/** 64 KiB in JSON. */
const LARGE = { text: `${'说'.repeat(21_841)}xx` };
const SMALL = { text: 'x'.repeat(2_000) };
/** Just below 64 KiB in JSON. */
const LONG = { text: '说'.repeat(21_841) };

describe('A response of 64 KiB or more', () => {
  let server: FastifyInstance;
  beforeEach(async () => {
    server = fastify();
    compressLargeBodies(server);
    await server.register(compress);
    server.get('/large', () => LARGE);
    server.get('/small', () => SMALL);
    server.get('/long', () => LONG);
    server.get('/varying', (_request, reply) => {
      void reply.header('Vary', 'Accept-Language');
      varyByEncoding(reply);
      return LARGE;
    });
  });
  afterEach(() => server.close());

  const get = (url: string, encoding?: string): Promise<LightMyRequestResponse> =>
    server.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });

  it('is compressed with brotli at quality 1 when the client accepts it', async () => {
    const { headers, rawPayload } = await get('/large', 'gzip, br');
    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(headers['content-length']).toBe(String(rawPayload.length));
    expect(rawPayload).toEqual(
      brotliCompressSync(JSON.stringify(LARGE), {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 1,
          [constants.BROTLI_PARAM_SIZE_HINT]: LARGE_BYTES,
        },
      }),
    );
  });

  it('is compressed with gzip at the fastest level when the client does not accept brotli', async () => {
    const { headers, rawPayload } = await get('/large', 'gzip');
    expect(headers['content-encoding']).toBe('gzip');
    expect(rawPayload).toEqual(gzipSync(JSON.stringify(LARGE), { level: constants.Z_BEST_SPEED }));
    expect(JSON.parse(gunzipSync(rawPayload).toString())).toEqual(LARGE);
  });

  it.each([undefined, 'deflate', 'identity', 'br;q=0'])(
    'is sent uncompressed when Accept-Encoding is %s',
    async (encoding) => {
      const { headers, json } = await get('/large', encoding);
      expect(headers['content-encoding']).toBeUndefined();
      expect(json()).toEqual(LARGE);
    },
  );

  it('names Accept-Encoding once in Vary when its handler has added it', async () => {
    const { headers } = await get('/varying');
    expect(headers.vary).toBe('Accept-Language, Accept-Encoding');
  });

  it.each([
    ['user', 'user:1', 'user:2', 'br', {}],
    ['user, who declines compression,', 'user:1', 'user:2', 'none', { 'x-no-compression': '1' }],
    ['address, outside /api,', '10.0.0.1', '10.0.0.2', 'br', {}],
  ])('is queued while its %s has a debt, and then sent', async (_, heavy, other, encoding, extra) => {
    const fair = fastify();
    // Sets the caller, as the guard does for requests of a user.
    fair.addHook('preHandler', ({ headers }, _reply, done) =>
      runForRequest({ caller: headers['x-caller'] as string | undefined }, done),
    );
    compressLargeBodies(fair);
    // The 63rd response raises the debt above the allowance; the 64th is already being compressed.
    const arrived = Promise.withResolvers<void>();
    let count = 0;
    fair.get('/together', async () => {
      count += 1;
      if (count === 70) arrived.resolve();
      await arrived.promise;
      return LARGE;
    });
    fair.get('/large', () => LARGE);
    const getAs = async (caller: string, url: string): Promise<string> => {
      const as = caller.startsWith('user:') ? { 'x-caller': caller } : {};
      const { headers } = await fair.inject({
        url,
        headers: { 'accept-encoding': 'br', ...as, ...(caller === heavy && extra) },
        remoteAddress: caller.startsWith('user:') ? '127.0.0.1' : caller,
      });
      return `${headers['content-encoding'] ?? 'none'} for ${caller}`;
    };
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const served: string[] = [];
      const downloads = Array.from({ length: 70 }, () =>
        getAs(heavy, '/together').then((response) => served.push(response)),
      );
      while (served.length < 64) await new Promise(setImmediate);
      expect(await getAs(other, '/large')).toBe(`br for ${other}`);
      expect(served).toHaveLength(64);
      await jest.advanceTimersByTimeAsync(10_000);
      await Promise.all(downloads);
      expect(served).toEqual(Array.from({ length: 70 }, () => `${encoding} for ${heavy}`));
    } finally {
      jest.useRealTimers();
      await fair.close();
    }
  });

  it('is larger than one of 65,534 bytes, which the plugin compresses, and which has its length in bytes', async () => {
    const plain = await get('/long');
    expect([plain.headers['content-length'], plain.rawPayload.length]).toEqual(['65534', 65_534]);
    expect(plain.json()).toEqual(LONG);
    const compressed = await get('/long', 'br');
    expect(compressed.headers['content-encoding']).toBe('br');
    expect(JSON.parse(brotliDecompressSync(compressed.rawPayload).toString())).toEqual(LONG);
    const head = await server.inject({ method: 'HEAD', url: '/long' });
    expect([head.headers['content-length'], head.payload]).toEqual(['65534', '']);
  });

  it('is not compressed for HEAD', async () => {
    const answer = await server.inject({
      method: 'HEAD',
      url: '/large',
      headers: { 'accept-encoding': 'br' },
    });
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, undefined]);
  });

  it('is replaced by a response that is sent while it is being compressed', async () => {
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

  it('is limited, unlike smaller responses, which are always compressed', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => get('/small', 'br')));
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'br', 'br']);
  });
});
