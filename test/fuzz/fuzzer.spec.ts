import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenApiDocument, operationsOf, type Schema } from './document';
import { Exchange } from './exchange';
import { type Finding, Fuzzer } from './fuzzer';
import { ResponseValidator } from './response-validator';
import { KnownObjects } from './known-objects';

const json = (properties: Record<string, Schema>) => ({
  content: {
    'application/json': {
      schema: { type: 'object' as const, required: Object.keys(properties), properties },
    },
  },
});

const DOCUMENT: OpenApiDocument = {
  paths: {
    '/api/shouts': {
      post: {
        requestBody: json({
          name: { type: 'string', maxLength: 10 },
          loudness: { type: 'integer', minimum: 0 },
        }),
        responses: { 200: json({ echo: { type: 'string' } }), 400: json({ code: { type: 'integer' } }) },
      },
    },
    '/api/silence': { post: { responses: { 200: json({ echo: { type: 'string' } }) } } },
  },
  components: { schemas: {} },
};

/** A service that fails only when a name is not a string. */
function faultyServer(): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, body } = respondTo(Buffer.concat(chunks).toString());
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r' });
      response.end(JSON.stringify(body));
    });
  });
}

function respondTo(text: string): { status: number; body: object } {
  const rejection = { status: 400, body: { code: 400 } };
  try {
    const { name } = (JSON.parse(text) ?? {}) as { name?: unknown };
    if (name === undefined) return rejection;
    return typeof name === 'string' ? { status: 200, body: { echo: name } } : { status: 500, body: {} };
  } catch {
    return rejection;
  }
}

describe('Fuzzer', () => {
  let server: Server;
  let exchange: Exchange;
  let folder: string;
  let url: string;
  beforeAll(async () => {
    server = faultyServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    exchange = new Exchange(url, 1);
    folder = mkdtempSync(join(tmpdir(), 'callboard-fuzzer-'));
  });
  afterAll(async () => {
    exchange.close();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    rmSync(folder, { recursive: true, force: true });
  });

  const createFuzzer = (slowestMs = 60_000): Fuzzer => {
    const people = [{ id: 1, token: 'token', account: 'a', password: 'p' }];
    return new Fuzzer({
      url,
      exchange,
      validator: new ResponseValidator(DOCUMENT),
      operations: operationsOf(DOCUMENT),
      objects: new KnownObjects(people, ['admin'], ['cbk_key']),
      webhookSecret: 's',
      slowestMs,
      folder,
    });
  };
  const fuzz = async (seed: number, slowestMs?: number): Promise<Finding[]> => {
    const fuzzer = createFuzzer(slowestMs);
    await fuzzer.run({ seed, requests: 300, parallel: 1 });
    return fuzzer.findings.filter(({ operation }) => operation === 'POST /api/shouts');
  };

  it('reports a defect once, minimised, with a curl line and the seed', async () => {
    const findings = await fuzz(1);
    expect(
      findings.map(({ problems, response: reply, seed, requestId }) => [problems, reply, seed, requestId]),
    ).toEqual([[['status 500', 'status 500 is not documented for POST /api/shouts'], '500 {}', 1, 'r']]);
    expect(findings[0]?.command).toMatch(
      new RegExp(
        `^curl -sS -i --path-as-is -X POST '${url}/api/shouts' .*--data-binary '\\{.*"name":[^"].*\\}'$`,
      ),
    );
  });

  it('reports a response as slow when it is too slow twice', async () => {
    const slow = (await fuzz(1, -1)).filter(({ response: reply }) => reply.startsWith('200'));
    expect(slow.map(({ problems }) => problems.map((problem) => problem.replace(/\d+/, 'n')))).toEqual([
      ['took n ms, and too long again'],
    ]);
  });

  it('generates the same requests for the same seed', async () => {
    const commandsOf = async (seed: number): Promise<string[]> =>
      (await fuzz(seed)).map(({ command }) => command);
    expect(await commandsOf(7)).toEqual(await commandsOf(7));
  });

  it('sends half of the requests of a round to the favoured operations', async () => {
    const sentTo = async (favoured: string[]): Promise<number> => {
      const fuzzer = createFuzzer();
      await fuzzer.run({ seed: 1, requests: 300, parallel: 1, favoured });
      return Number(/POST \/api\/silence +(\d+)/.exec(fuzzer.tally.lines.join('\n'))?.[1]);
    };
    const [usual, favoured] = [await sentTo([]), await sentTo(['POST /api/silence'])];
    expect(usual).toBeLessThan(180);
    expect(favoured).toBeGreaterThan(180);
  });
});
