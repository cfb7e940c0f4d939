import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ServiceProcess } from '../support/service-process';
import { signToken } from '../support/tokens';
import { type OpenApiDocument, operationsOf } from './document';
import { Exchange } from './exchange';
import { Fuzzer } from './fuzzer';
import { Judge } from './judge';
import { populate } from './people';

const WEBHOOK_SECRET = 'secret-of-the-webhooks';
/** From so many requests on, every operation must have succeeded at least once. */
const ENOUGH = 10_000;
const LEAST_SUCCESS = 0.3;

/*
 * npm run fuzz [-- --requests 20000] [--seed <n>] [--database mysql://user:password@host/database] [--parallel 8]
 * Starts the built service on a temporary database (or on the empty one that is named) and sends it requests for every
 * operation of its OpenAPI document. Ends with 1 when an answer was not what the document says, or slow.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '20000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      parallel: { type: 'string', default: '8' },
      database: { type: 'string' },
    },
  });
  const [requests, seed, parallel] = [values.requests, values.seed, values.parallel].map(Number) as [
    number,
    number,
    number,
  ];
  const folder = mkdtempSync(join(tmpdir(), 'callboard-fuzz-'));
  print(`seed ${seed}, ${requests} requests, ${parallel} at a time`);
  const service = await ServiceProcess.start(values.database ?? `sqlite:${join(folder, 'fuzz.sqlite')}`, {
    LOG_LEVEL: 'error',
    TRUST_PROXY: 'true',
    AGORA_WEBHOOK_SECRET: WEBHOOK_SECRET,
    CALL_RING_TIMEOUT_SECONDS: '2',
    CALL_MAX_DURATION_SECONDS: '5',
  });
  const exchange = new Exchange(service.url, parallel);
  let isFine = false;
  try {
    const document = (await (await fetch(`${service.url}/docs-json`)).json()) as OpenApiDocument;
    const fuzzer = new Fuzzer({
      url: service.url,
      exchange,
      judge: new Judge(document),
      operations: operationsOf(document),
      world: await populate(exchange, signToken),
      webhookSecret: WEBHOOK_SECRET,
      folder,
    });
    const start = performance.now();
    await fuzzer.run({ seed, requests, parallel });
    const { tally, findings } = fuzzer;
    for (const line of tally.lines) print(line);
    print(
      `${tally.sent} requests in ${Math.round((performance.now() - start) / 1000)} s, ` +
        `${Math.round(100 * tally.successShare)} % succeeded, the slowest took ${Math.round(tally.slowestMs)} ms`,
    );
    for (const { operation, problems, command, answer, seed } of findings) {
      print(`\n✗ ${operation}\n  ${problems.join('\n  ')}\n  seed ${seed}\n  ${command}\n  → ${answer}`);
    }
    const unmet = requests < ENOUGH ? [] : tally.failures.map((name) => `${name} never succeeded`);
    if (tally.successShare < LEAST_SUCCESS) unmet.push(`fewer than ${100 * LEAST_SUCCESS} % succeeded`);
    for (const line of unmet) print(`✗ ${line}`);
    for (const line of service.lines.slice(0, 20)) print(line);
    isFine = findings.length === 0 && unmet.length === 0;
  } finally {
    exchange.close();
    await service.stop();
    if (isFine) rmSync(folder, { recursive: true, force: true });
  }
  process.exitCode = isFine ? 0 : 1;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
