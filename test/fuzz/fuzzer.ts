import * as fc from 'fast-check';
import { BODY_LIMIT } from '../../src/common/input/body-parser';
import { asCurl, asNetcat } from './curl';
import type { Operation } from './document';
import type { ReceivedResponse, Exchange } from './exchange';
import type { ResponseValidator } from './response-validator';
import { recordResponse } from './callers';
import { type Plan, plansFor } from './plan';
import { rawBytes } from './raw';
import { exchangeRaw } from './raw-exchange';
import { type Request, requestOf } from './request';
import { Tally } from './tally';
import type { KnownObjects } from './known-objects';

/** A request whose response is invalid. */
export class Finding extends Error {
  /** Value of `--seed` that reproduces the finding. */
  seed = 0;

  constructor(
    readonly operation: string,
    readonly problems: string[],
    /** The request, for a shell. */
    readonly command: string,
    private readonly reply: ReceivedResponse | undefined,
  ) {
    super(problems.join('; '));
  }

  /** Key by which repeated findings are reported once. */
  get kind(): string {
    return `${this.operation}: ${this.problems.join('; ').replaceAll(/\/\d+|\d+ ms/g, 'n')}`;
  }

  get response(): string {
    return this.reply ? `${this.reply.status} ${this.reply.text.slice(0, MAX_SHOWN_LENGTH)}` : 'nothing';
  }

  /** Request id in the log of the service. */
  get requestId(): string | undefined {
    return this.reply?.headers['x-request-id']?.toString();
  }
}

export interface Target {
  url: string;
  exchange: Exchange;
  validator: ResponseValidator;
  operations: Operation[];
  objects: KnownObjects;
  webhookSecret: string;
  /** Maximum duration of a request. */
  slowestMs: number;
  /** Folder for bodies that are too long for a command line. */
  folder: string;
}

const MAX_SHOWN_LENGTH = 500;
/** Name of the requests that are written to connections as bytes. */
export const RAW = '(raw bytes)';
/** Maximum number of simpler requests that are tried to minimise a failure. */
const MAX_SHRINKS = 200;
/** Maximum duration of the minimisation, because a request without a response waits for its timeout. */
const MAX_SHRINK_MS = 30_000;
/** Operations that hash passwords, which takes much longer than any other request. */
const SLOW = /password$|\/login$|POST \/api\/admin\/users$/;

export class Fuzzer {
  readonly tally: Tally;
  readonly findings: Finding[] = [];

  constructor(private readonly target: Target) {
    this.tally = new Tally([...target.operations.map(({ name }) => name), RAW], target.slowestMs);
  }

  /** Sends a number of requests, `parallel` of them concurrently. */
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
    const plans = anyPlan(this.target.operations, favoured);
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
      /** The finding that is being minimised, and the limits of that. */
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
      // Another worker may have found the same meanwhile.
      if (!this.#knows(outcome.errorInstance))
        this.findings.push(Object.assign(outcome.errorInstance, { seed }));
    }
  }

  #knows = ({ kind }: Finding): boolean => this.findings.some((known) => known.kind === kind);

  async #try(plan: Plan): Promise<Finding | undefined> {
    const { url, exchange, validator, objects, webhookSecret, folder } = this.target;
    const { operation } = plan;
    const request = requestOf(plan, objects, webhookSecret);
    const found = (problems: string[], response?: ReceivedResponse): Finding =>
      new Finding(operation.name, problems, asCurl(url, request, folder), response);
    const response = await exchange.send(request).catch((error: Error & { code?: string }) => error);
    if (response instanceof Error && isCutOff(request, response.code)) return undefined;
    if (response instanceof Error) return found([`no response (${response.code ?? response.message})`]);
    this.tally.count(operation.name, response);
    await recordResponse(objects, exchange, plan, request, response);
    const slowness = await this.#slowness(response, () => exchange.send(request));
    const problems = [...validator.problemsOf(operation, request, response), ...slowness];
    return problems.length === 0 ? undefined : found(problems, response);
  }

  /**
   * Returns a problem if a request was slow twice, because a busy machine delays single responses. The tally counts all
   * slow ones.
   */
  async #slowness(
    { ms }: ReceivedResponse,
    again: () => Promise<ReceivedResponse | undefined>,
  ): Promise<string[]> {
    const { slowestMs } = this.target;
    if (ms <= slowestMs) return [];
    const second = await again().catch(() => undefined);
    const isSlow = second === undefined || second.ms > slowestMs;
    return isSlow ? [`took ${Math.round(ms)} ms, and too long again`] : [];
  }

  async #tryRaw(template: Buffer): Promise<Finding | undefined> {
    const { url, objects, validator } = this.target;
    const bytes = Buffer.from(
      template.toString('latin1').replace('{token}', objects.person(0).token),
      'latin1',
    );
    const response = await exchangeRaw(url, bytes);
    // The server may end a connection after malformed data.
    if (response === undefined) return undefined;
    this.tally.count(RAW, response);
    const slowness = await this.#slowness(response, () => exchangeRaw(url, bytes));
    const problems = [...validator.problemsOfRaw(bytes, response), ...slowness];
    return problems.length === 0 ? undefined : new Finding(RAW, problems, asNetcat(url, bytes), response);
  }
}

function anyPlan(operations: Operation[], favoured: string[]): fc.Arbitrary<Plan | Uint8Array> {
  const plans = operations.map((operation) => ({
    weight: SLOW.test(operation.name) ? 10 : 30,
    arbitrary: plansFor(operation) as fc.Arbitrary<Plan | Uint8Array>,
  }));
  const all = fc.oneof(...plans, { weight: 2 * operations.length, arbitrary: rawBytes });
  const some = operations.filter(({ name }) => favoured.includes(name)).map(plansFor);
  return some.length === 0 ? all : fc.oneof(all, fc.oneof(...some));
}

/**
 * Whether a body over the limit was not sent completely. The service responds with 413 without reading the body and
 * closes the connection, so the client may not be able to read the response.
 */
const isCutOff = ({ body }: Request, code: string | undefined): boolean =>
  (body?.length ?? 0) > BODY_LIMIT && (code === 'EPIPE' || code === 'ECONNRESET');
