import type { Plan } from '../seed/plan';
import type { Driver, Outcome } from './driver';
import { type Run, type Scenario, titleOf } from './scenarios';
import { processorSeconds, type Server } from './servers';

const WARM_UP_SECONDS = 0.5;

export interface Conditions {
  plan: Plan;
  scale: number;
  rounds: number;
  seconds: number;
  connections: number;
  /** The database server, for its share of the processor. */
  databasePid?: number;
  run: Run;
}

/** What one server showed in all rounds of a scenario: medians. */
export interface Figures {
  perSecond: number;
  p50: number;
  p99: number;
  /** Processor time for each request, in milliseconds: the server's own, and the database's for it. */
  serverCpu: number;
  databaseCpu: number;
  bad: Record<string, number>;
}

export interface Result {
  part: string;
  name: string;
  kind: Scenario['kind'];
  service: Figures;
  limit?: Figures;
  /** Medians over the rounds, each of a service's round to the limit's next to it. */
  ratio?: number;
  p99Ratio?: number;
  met?: boolean;
}

type Round = Outcome & { serverCpu: number; databaseCpu: number };

/** Reads at 0.80 of the limit or better, writes at 0.70, the 99th percentile at most 1.5 times the limit's. */
export const TARGETS = { read: 0.8, write: 0.7, p99: 1.5 };

/** Measures one scenario on every server, in rounds by turns. */
export async function compete(
  scenario: Scenario,
  servers: Server[],
  driver: Driver,
  conditions: Conditions,
): Promise<Result> {
  const rounds = new Map<string, Round[]>(servers.map(({ name }) => [name, []]));
  for (const server of servers) await play(scenario, server, driver, conditions, WARM_UP_SECONDS);
  for (let round = 0; round < conditions.rounds; round += 1) {
    // Who goes first takes turns too.
    const order = round % 2 === 0 ? servers : servers.toReversed();
    for (const server of order)
      rounds.get(server.name)?.push(await play(scenario, server, driver, conditions, conditions.seconds));
  }
  const unit = scenario.requestsAUnit ?? 1;
  const [service = [], limit] = [rounds.get('service'), rounds.get('limit')];
  const result = {
    part: scenario.part,
    name: scenario.name,
    kind: scenario.kind,
    service: figuresOf(service, unit),
  };
  if (limit === undefined) return result;
  const ratio = median(service.map((round, index) => rate(round) / rate(limit[index])));
  const p99Ratio = median(service.map(({ p99 }, index) => p99 / (limit[index]?.p99 ?? 0)));
  const met = ratio >= TARGETS[scenario.kind] && p99Ratio <= TARGETS.p99;
  return { ...result, limit: figuresOf(limit, unit), ratio, p99Ratio, met };
}

async function play(
  scenario: Scenario,
  { url, pid }: Server,
  driver: Driver,
  { plan, scale, connections, databasePid, run }: Conditions,
  seconds: number,
): Promise<Round> {
  await scenario.reset?.(run, plan);
  const used = (): [number, number] => [
    processorSeconds(pid),
    databasePid === undefined ? 0 : processorSeconds(databasePid),
  ];
  const before = used();
  const outcome = await driver.run({ title: titleOf(scenario), url, scale, seconds, connections });
  const after = used();
  const each = (index: 0 | 1): number =>
    ((after[index] - before[index]) * 1000) / Math.max(1, outcome.requests);
  return { ...outcome, serverCpu: each(0), databaseCpu: each(1) };
}

const rate = (round: Outcome | undefined): number =>
  round === undefined || round.seconds === 0 ? 0 : round.requests / round.seconds;

function figuresOf(rounds: Round[], unit: number): Figures {
  const of = (value: (round: Round) => number): number => median(rounds.map(value));
  const bad: Record<string, number> = {};
  for (const round of rounds)
    for (const [what, count] of Object.entries(round.bad)) bad[what] = (bad[what] ?? 0) + count;
  return {
    perSecond: of((round) => rate(round) / unit),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    serverCpu: of(({ serverCpu }) => serverCpu * unit),
    databaseCpu: of(({ databaseCpu }) => databaseCpu * unit),
    bad,
  };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [lower = 0, upper = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (lower + upper) / 2;
}
