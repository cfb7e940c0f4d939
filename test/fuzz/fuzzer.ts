import * as fc from 'fast-check';
import { asCurl, asNetcat } from './curl';
import type { Operation } from './document';
import type { Answer, Exchange } from './exchange';
import type { Judge } from './judge';
import { absorb } from './people';
import { type Plan, plansFor } from './plan';
import { exchangeRaw, problemsOfRaw, rawBytes } from './raw';
import { requestOf } from './request';
import { Tally } from './tally';
import type { World } from './world';

/** A request whose answer is not what it should be. */
export class Finding extends Error {
  /** What to give `--seed` to come here again. */
  seed = 0;

  constructor(
    readonly operation: string,
    readonly problems: string[],
    readonly command: string,
    readonly answer: string,
  ) {
    super(problems.join('; '));
  }

  /** Two findings of one kind are one. */
  get kind(): string {
    return `${this.operation}: ${this.problems.join('; ').replaceAll(/\/\d+|\d+ ms/g, 'n')}`;
  }
}

export interface Target {
  url: string;
  exchange: Exchange;
  judge: Judge;
  operations: Operation[];
  world: World;
  webhookSecret: string;
  /** Where bodies go that are too long for a command line. */
  folder: string;
}

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
    this.tally = new Tally([...target.operations.map(({ name }) => name), RAW]);
  }

  /** Sends so many requests, some at a time. */
  async run({
    seed,
    requests,
    parallel,
  }: {
    seed: number;
    requests: number;
    parallel: number;
  }): Promise<void> {
    const share = Math.ceil(requests / parallel);
    const workers = Array.from({ length: parallel }, (_, worker) => this.#explore(seed, worker, share));
    await Promise.all(workers);
  }

  /** One request after the other; what fails is made as small as possible, and then the rest goes on. */
  async #explore(seed: number, worker: number, requests: number): Promise<void> {
    let left = requests;
    for (let round = 0; left > 0; round += 1) {
      let shrinks = 0;
      let giveUpAt = Number.POSITIVE_INFINITY;
      const property = fc.asyncProperty(anything(this.target.operations), async (plan) => {
        if (shrinks > MAX_SHRINKS || performance.now() > giveUpAt) return;
        const finding =
          plan instanceof Uint8Array ? await this.#tryRaw(Buffer.from(plan)) : await this.#try(plan);
        if (shrinks > 0) shrinks += 1;
        if (finding === undefined || this.#knows(finding)) return;
        if (shrinks === 0) giveUpAt = performance.now() + MAX_SHRINK_MS;
        shrinks = Math.max(1, shrinks);
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
    const answer = await exchange.send(request).catch(asProblem);
    const problems = typeof answer === 'string' ? [answer] : judge.problemsOf(operation, request, answer);
    if (typeof answer !== 'string') {
      this.tally.count(operation.name, answer);
      await absorb(world, exchange, plan, request, answer);
    }
    if (problems.length === 0) return undefined;
    return new Finding(operation.name, problems, asCurl(url, request, folder), asShown(answer));
  }

  async #tryRaw(template: Buffer): Promise<Finding | undefined> {
    const { url, world } = this.target;
    const bytes = Buffer.from(
      template.toString('latin1').replace('{token}', world.person(0).token),
      'latin1',
    );
    const answer = await exchangeRaw(url, bytes);
    if (answer) this.tally.count(RAW, answer);
    const problems = problemsOfRaw(bytes, answer);
    if (problems.length === 0) return undefined;
    return new Finding(RAW, problems, asNetcat(url, bytes), answer ? asShown(answer) : '');
  }
}

function anything(operations: Operation[]): fc.Arbitrary<Plan | Uint8Array> {
  const plans = operations.map((operation) => ({
    weight: SLOW.test(operation.name) ? 2 : 6,
    arbitrary: plansFor(operation) as fc.Arbitrary<Plan | Uint8Array>,
  }));
  return fc.oneof(...plans, { weight: 20, arbitrary: rawBytes });
}

const asProblem = (error: Error & { code?: string }): string => `no answer (${error.code ?? error.message})`;

const asShown = (answer: Answer | string): string =>
  typeof answer === 'string' ? answer : `${answer.status} ${answer.text.slice(0, 500)}`;
