import '../../src/node-version';
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../../scripts/command-line';
import { ServiceProcess } from '../support/service-process';
import { signToken } from '../support/tokens';
import { type OpenApiDocument, operationsOf } from './document';
import { Exchange } from './exchange';
import { type Finding, Fuzzer } from './fuzzer';
import { ResponseValidator } from './response-validator';
import { populate } from './callers';
import type { Tally } from './tally';

const WEBHOOK_SECRET = 'secret-of-the-webhooks';
/**
 * Minimum number of requests of a run in which every operation must succeed at least once. A run of 10,000 sends a few
 * less, because all operations get the same number.
 */
const FULL_RUN = 9_900;
/** Maximum number of extra rounds, each a quarter of the run, while an operation has not succeeded. */
const MORE_ROUNDS = 4;
/** Distance between the seeds of two rounds. */
const SEEDS_APART = 1_000_000;
const MIN_SUCCESS = 0.3;
const MAX_SLOW = 0.01;

const USAGE = `Usage: npm run fuzz [-- --requests 20000] [--seed <n>] [--parallel 8] [--slowest <ms>] [--media agora]
                   [--database mysql://user:password@host/database]
Starts the built service on a temporary database (or on an existing empty one) and sends it requests for every
operation of its OpenAPI document. Exits with 1 if a response differed from the document or was slow.`;

async function main(): Promise<void> {
  const values = readOptions(USAGE, {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    parallel: { type: 'string', default: '8' },
    slowest: { type: 'string', default: '2000' },
    media: { type: 'string', default: 'agora' },
    database: { type: 'string' },
  });
  const [requests, seed, parallel] = [Number(values.requests), Number(values.seed), Number(values.parallel)];
  if (![requests, seed, parallel, Number(values.slowest)].every(Number.isSafeInteger))
    throw new Error('--requests, --seed, --parallel and --slowest are whole numbers');
  print(
    `npm run fuzz -- --seed ${seed} --requests ${requests} --parallel ${parallel} --media ${values.media}`,
  );

  const folder = mkdtempSync(join(tmpdir(), 'callboard-fuzz-'));
  const service = await ServiceProcess.start(values.database ?? `sqlite:${join(folder, 'fuzz.sqlite')}`, {
    LOG_LEVEL: 'error',
    // Requests come from different addresses; otherwise the limit on failed log-ins would reject all users.
    TRUST_PROXY: 'true',
    MEDIA_PROVIDER: values.media,
    ATTACHMENT_STORAGE: `file:${join(folder, 'attachments')}`,
    FILES_SECRET: 'a-secret-of-the-fuzzer-for-urls-of-files',
    AGORA_WEBHOOK_SECRET: WEBHOOK_SECRET,
    // Webhooks have no receiver, and fail immediately.
    WEBHOOK_SECRET,
    OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1/32',
    // No gateway listens on this port.
    PUSH_GATEWAY_URL: 'http://127.0.0.1:9/',
    PUSH_GATEWAY_SECRET: 'gateway-secret',
    // Short, so that some calls time out.
    CALL_RING_TIMEOUT_SECONDS: '2',
    CALL_MAX_DURATION_SECONDS: '5',
  });
  const exchange = new Exchange(service.url, parallel);
  let complaints: string[] = ['it was not finished'];
  try {
    const document = (await (await fetch(`${service.url}/docs-json`)).json()) as OpenApiDocument;
    const { tally, findings } = await fuzz(
      new Fuzzer({
        url: service.url,
        exchange,
        validator: new ResponseValidator(document),
        slowestMs: Number(values.slowest),
        operations: operationsOf(document),
        objects: await populate(exchange, signToken),
        webhookSecret: WEBHOOK_SECRET,
        folder,
      }),
      { seed, requests, parallel },
    );
    complaints = [...findings.map((finding) => describe(finding, service.lines)), ...shortfalls(tally)];
    for (const complaint of complaints) print(`\n✗ ${complaint}`);
  } finally {
    exchange.close();
    await service.stop();
    // Keeps the folder after a failure: it contains bodies too long for the printed commands.
    if (complaints.length === 0) rmSync(folder, { recursive: true, force: true });
  }
  process.exitCode = complaints.length === 0 ? 0 : 1;
}

async function fuzz(fuzzer: Fuzzer, options: Parameters<Fuzzer['run']>[0]): Promise<Fuzzer> {
  const start = performance.now();
  await fuzzer.run(options);
  // A rare operation, such as ending a session, may have failed by chance; a defect fails in every round.
  const more = Math.ceil(options.requests / 4);
  for (let round = 1; round <= MORE_ROUNDS && lacking(fuzzer.tally).length > 0; round += 1) {
    const seed = options.seed + round * SEEDS_APART;
    await fuzzer.run({ ...options, seed, requests: more, favoured: lacking(fuzzer.tally) });
  }
  const seconds = Math.round((performance.now() - start) / 1000);
  const { tally } = fuzzer;
  for (const line of tally.lines) print(line);
  const share = Math.round(100 * tally.successShare);
  print(
    `${tally.sent} requests in ${seconds} s, ${share} % succeeded, the slowest took ${Math.round(tally.slowestMs)} ms`,
  );
  return fuzzer;
}

/** Returns the problem, the reproduction, and the log of the service. */
function describe(
  { operation, problems, seed, command, response, requestId }: Finding,
  log: string[],
): string {
  const logged = log.filter((line) => requestId !== undefined && line.includes(requestId));
  return [`${operation}: ${problems.join('; ')}`, `seed ${seed}`, command, `→ ${response}`, ...logged].join(
    '\n  ',
  );
}

/** Returns the operations that should have succeeded. */
const lacking = (tally: Tally): string[] => (tally.sent < FULL_RUN ? [] : tally.failures);

/** Returns the failures of the run as a whole. */
function shortfalls(tally: Tally): string[] {
  return [
    ...lacking(tally).map((name) => `${name} never succeeded`),
    ...(tally.successShare < MIN_SUCCESS
      ? [`fewer than ${100 * MIN_SUCCESS} % of the requests succeeded`]
      : []),
    ...(tally.slowShare > MAX_SLOW ? [`more than ${100 * MAX_SLOW} % of the responses took too long`] : []),
  ];
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
