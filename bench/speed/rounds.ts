import type { Plan } from '../seed/plan';
import type { Driver, Outcome } from './driver';
import { type Run, type Scenario, titleOf } from './scenario';
import { processorSeconds, type Server } from './servers';

export interface Conditions {
  plan: Plan;
  scale: number;
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
  connections: number;
  /** Process of the database server, to measure its processor time. */
  databasePid?: number;
  run: Run;
  /** Returns the size of the binary log in bytes; 0 without one. */
  logLength: () => Promise<number>;
}

/** Results of one server in all rounds of a scenario: medians. */
export interface ServerResult {
  perSecond: number;
  p50: number;
  p99: number;
  /** Processor time per request in milliseconds: of the server, and of the database for it. */
  serverCpu: number;
  databaseCpu: number;
  /** Bytes that each request adds to the binary log. */
  logged: number;
  bad: Record<string, number>;
}

export interface Result {
  part: string;
  name: string;
  kind: Scenario['kind'];
  service: ServerResult;
  baseline?: ServerResult;
  /** Median over the rounds of the ratio between a round of the service and the adjacent round of the baseline. */
  ratio?: number;
  p99Ratio?: number;
}

type Round = Outcome & Pick<ServerResult, 'serverCpu' | 'databaseCpu' | 'logged'>;

/** Measures one scenario on every server, in alternating rounds. */
export async function measureScenario(
  scenario: Scenario,
  servers: Server[],
  driver: Driver,
  conditions: Conditions,
): Promise<Result> {
  const rounds = new Map<string, Round[]>(servers.map(({ name }) => [name, []]));
  const { warmUpSeconds, seconds } = conditions;
  if (warmUpSeconds > 0)
    for (const server of servers) await measureRound(scenario, server, driver, conditions, warmUpSeconds);
  for (let round = 0; round < conditions.rounds; round += 1) {
    // The order of the servers alternates too.
    const order = round % 2 === 0 ? servers : servers.toReversed();
    for (const server of order)
      rounds.get(server.name)?.push(await measureRound(scenario, server, driver, conditions, seconds));
  }
  const unit = scenario.requestsPerUnit ?? 1;
  const [service = [], baseline] = [rounds.get('service'), rounds.get('baseline')];
  const result = {
    part: scenario.part,
    name: scenario.name,
    kind: scenario.kind,
    service: toServerResult(service, unit),
  };
  if (baseline === undefined) return result;
  const ratio = median(service.map((round, index) => rate(round) / rate(baseline[index])));
  const p99Ratio = median(service.map(({ p99 }, index) => p99 / (baseline[index]?.p99 ?? 0)));
  return { ...result, baseline: toServerResult(baseline, unit), ratio, p99Ratio };
}

async function measureRound(
  scenario: Scenario,
  server: Server,
  driver: Driver,
  conditions: Conditions,
  seconds: number,
): Promise<Round> {
  const { databasePid, logLength } = conditions;
  const used = async () => ({
    serverCpu: processorSeconds(server.pid) * 1000,
    databaseCpu: databasePid === undefined ? 0 : processorSeconds(databasePid) * 1000,
    logged: await logLength(),
  });
  const { connections = conditions.connections } = scenario;
  return playRound(scenario, server, driver, { ...conditions, seconds, connections }, used);
}

/**
 * Restores the state before the round and sends its requests.
 * @param used reads counters, whose increase is returned per response
 */
export async function playRound<Counters extends Record<string, number>>(
  scenario: Scenario,
  { name, url }: Pick<Server, 'name' | 'url'>,
  driver: Driver,
  {
    plan,
    scale,
    seconds,
    connections,
    run,
  }: Pick<Conditions, 'plan' | 'scale' | 'seconds' | 'connections' | 'run'>,
  used: () => Promise<Counters>,
): Promise<Outcome & Counters> {
  const reset = scenario.reset?.[name === 'floor' ? 'service' : name];
  for (const statement of reset?.(plan) ?? []) await run(name, statement);
  const before = await used();
  const outcome = await driver.run({ title: titleOf(scenario), url, scale, seconds, connections });
  const after = await used();
  const perAnswer = Object.keys(before).map((counter) => [
    counter,
    ((after[counter] ?? 0) - (before[counter] ?? 0)) / Math.max(1, outcome.answers),
  ]);
  return { ...outcome, ...(Object.fromEntries(perAnswer) as Counters) };
}

const rate = (round: Outcome | undefined): number =>
  round === undefined || round.seconds === 0 ? 0 : round.requests / round.seconds;

function toServerResult(rounds: Round[], unit: number): ServerResult {
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
    logged: of(({ logged }) => logged * unit),
    bad,
  };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [lower = 0, upper = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (lower + upper) / 2;
}
