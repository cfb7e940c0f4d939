import * as fc from 'fast-check';
import { BODY_LIMIT } from '../../src/common/input/body-parser';
import { asCurl, asNetcat } from './curl';
import type { Operation } from './document';
import type { Answer, Exchange } from './exchange';
import type { ResponseValidator } from './response-validator';
import { recordResponse } from './callers';
import { type Plan, plansFor } from './plan';
import { rawBytes } from './raw';
import { exchangeRaw } from './raw-exchange';
import { type Request, requestOf } from './request';
import { Tally } from './tally';
import type { KnownObjects } from './known-objects';

/** A request with a wrong response. */
export class Finding extends Error {
  /** What to give `--seed` to come here again. */
  seed = 0;

  constructor(
    readonly operation: string,
    readonly problems: string[],
    /** The request, for a shell. */
    readonly command: string,
    private readonly reply: Answer | undefined,
  ) {
    super(problems.join('; '));
  }

  /** Two findings of one kind are one. */
  get kind(): string {
    return `${this.operation}: ${this.problems.join('; ').replaceAll(/\/\d+|\d+ ms/g, 'n')}`;
  }

  get answer(): string {
    return this.reply ? `${this.reply.status} ${this.reply.text.slice(0, MAX_SHOWN_LENGTH)}` : 'nothing';
  }

  /** By which the service logged it. */
  get requestId(): string | undefined {
    return this.reply?.headers['x-request-id']?.toString();
  }
}

export interface Target {
  url: string;
  exchange: Exchange;
  judge: ResponseValidator;
  operations: Operation[];
  world: KnownObjects;
  webhookSecret: string;
  /** How long an answer may take. */
  slowestMs: number;
  /** Where bodies go that are too long for a command line. */
  folder: string;
}

const MAX_SHOWN_LENGTH = 500;
/** Name of all that is written to connections as bytes. */
export const RAW = '(raw bytes)';
/** How many simpler requests are tried to find the smallest that fails. */
const MAX_SHRINKS = 200;
/** Nor for longer than so: one without an answer takes its time. */
const MAX_SHRINK_MS = 30_000;
/** Hashing passwords takes the longest of all by far, and there is little else to these. */
const SLOW = /password$|\/login$|POST \/api\/admin\/users$/;

export class Fuzzer {
  readonly tally: Tally;
  readonly findings: Finding[] = [];

  constructor(private readonly target: Target) {
    this.tally = new Tally([...target.operations.map(({ name }) => name), RAW], target.slowestMs);
  }

  /** Sends so many requests, some at a time. */
  async run({
    seed,
    requests,
    parallel,
    favoured = [],
  }: {
    seed: number;
    requests: number;
    parallel: number;
    /** Names of operations to which half of the requests are sent. */
    favoured?: string[];
  }): Promise<void> {
    const share = Math.ceil(requests / parallel);
    const plans = anything(this.target.operations, favoured);
    const workers = Array.from({ length: parallel }, (_, worker) =>
      this.#explore(plans, seed, worker, share),
    );
    await Promise.all(workers);
  }

  /** Sends requests in sequence. A failure is minimised before the next request. */
  async #explore(
    plans: fc.Arbitrary<Plan | Uint8Array>,
    seed: number,
    worker: number,
    requests: number,
  ): Promise<void> {
    let left = requests;
    for (let round = 0; left > 0; round += 1) {
      /** What is being made smaller, and the end of that. */
      let first: Finding | undefined;
      let triesLeft = MAX_SHRINKS;
      let giveUpAt = Number.POSITIVE_INFINITY;
      const property = fc.asyncProperty(plans, async (plan) => {
        if (first && ((triesLeft -= 1) < 0 || performance.now() > giveUpAt)) return;
        const finding =
          plan instanceof Uint8Array ? await this.#tryRaw(Buffer.from(plan)) : await this.#try(plan);
        if (finding === undefined || (first ? finding.kind !== first.kind : this.#knows(finding))) return;
        if (first === undefined) giveUpAt = performance.now() + MAX_SHRINK_MS;
        first ??= finding;
        throw finding;
      });
      const outcome = await fc.check(property, { seed: seed + worker * 1_000 + round, numRuns: left });
      if (!outcome.failed) return;
      left -= outcome.numRuns;
      if (!(outcome.errorInstance instanceof Finding)) throw outcome.errorInstance;
      // Another worker may have come upon the same meanwhile.
      if (!this.#knows(outcome.errorInstance))
        this.findings.push(Object.assign(outcome.errorInstance, { seed }));
    }
  }

  #knows = ({ kind }: Finding): boolean => this.findings.some((known) => known.kind === kind);

  async #try(plan: Plan): Promise<Finding | undefined> {
    const { url, exchange, judge, world, webhookSecret, folder } = this.target;
    const { operation } = plan;
    const request = requestOf(plan, world, webhookSecret);
    const found = (problems: string[], response?: Answer): Finding =>
      new Finding(operation.name, problems, asCurl(url, request, folder), response);
    const response = await exchange.send(request).catch((error: Error & { code?: string }) => error);
    if (response instanceof Error && isCutOff(request, response.code)) return undefined;
    if (response instanceof Error) return found([`no answer (${response.code ?? response.message})`]);
    this.tally.count(operation.name, response);
    await recordResponse(world, exchange, plan, request, response);
    const slowness = await this.#slowness(response, () => exchange.send(request));
    const problems = [...judge.problemsOf(operation, request, response), ...slowness];
    return problems.length === 0 ? undefined : found(problems, response);
  }

  /** A busy machine holds up any answer now and then: a request is slow when it is so again. The tally counts all. */
  async #slowness({ ms }: Answer, again: () => Promise<Answer | undefined>): Promise<string[]> {
    const { slowestMs } = this.target;
    if (ms <= slowestMs) return [];
    const second = await again().catch(() => undefined);
    const isSlow = second === undefined || second.ms > slowestMs;
    return isSlow ? [`took ${Math.round(ms)} ms, and too long again`] : [];
  }

  async #tryRaw(template: Buffer): Promise<Finding | undefined> {
    const { url, world, judge } = this.target;
    const bytes = Buffer.from(
      template.toString('latin1').replace('{token}', world.person(0).token),
      'latin1',
    );
    const response = await exchangeRaw(url, bytes);
    // The server may end a connection after malformed data.
    if (response === undefined) return undefined;
    this.tally.count(RAW, response);
    const slowness = await this.#slowness(response, () => exchangeRaw(url, bytes));
    const problems = [...judge.problemsOfRaw(bytes, response), ...slowness];
    return problems.length === 0 ? undefined : new Finding(RAW, problems, asNetcat(url, bytes), response);
  }
}

function anything(operations: Operation[], favoured: string[]): fc.Arbitrary<Plan | Uint8Array> {
  const plans = operations.map((operation) => ({
    weight: SLOW.test(operation.name) ? 10 : 30,
    arbitrary: plansFor(operation) as fc.Arbitrary<Plan | Uint8Array>,
  }));
  const all = fc.oneof(...plans, { weight: 2 * operations.length, arbitrary: rawBytes });
  const some = operations.filter(({ name }) => favoured.includes(name)).map(plansFor);
  return some.length === 0 ? all : fc.oneof(all, fc.oneof(...some));
}

/**
 * Returns true for a body over the limit that the client could not send to its end. The service answers 413 without reading it
 * and closes the connection, so the client may find the connection closed before it has read the answer.
 */
const isCutOff = ({ body }: Request, code: string | undefined): boolean =>
  (body?.length ?? 0) > BODY_LIMIT && (code === 'EPIPE' || code === 'ECONNRESET');
