import type { Driver } from './driver';
import { type Conditions, median, playRound } from './rounds';
import { BOTH, type Run, type Scenario } from './scenario';
import { processorMicroseconds, type Server } from './servers';

/** The cost of one unit of a scenario. Processor time in microseconds; rows and statements as the database counts them. */
export interface Costs extends Record<string, number> {
  server: number;
  database: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
  /** Bytes between server and database. */
  bytes: number;
  /** Bytes added to the binary log. */
  logged: number;
}

/** Medians of one scenario at one number of connections. */
export interface CostLine {
  part: string;
  name: string;
  connections: number;
  costs: Partial<Record<Server['name'], Costs>>;
  /** Number of unexpected responses by server and status. */
  bad: Record<string, number>;
}

/** Measures a scenario on every server that implements it, in alternating rounds. */
export async function costsOf(
  scenario: Scenario,
  servers: Server[],
  driver: Driver,
  conditions: Conditions,
): Promise<CostLine> {
  const { rounds, seconds, warmUpSeconds, connections } = conditions;
  const line: CostLine = { part: scenario.part, name: scenario.name, connections, costs: {}, bad: {} };
  const able = servers.filter(({ name }) => (scenario.servers ?? BOTH).includes(name));
  const play = (server: Server, duration: number) =>
    playRound(
      scenario,
      server,
      driver,
      { ...conditions, seconds: duration },
      counters(server.pid, conditions),
    );
  if (warmUpSeconds > 0) for (const server of able) await play(server, warmUpSeconds);
  const played = new Map<Server['name'], Costs[]>(able.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const server of round % 2 === 0 ? able : able.toReversed()) {
      const { bad, ...costs } = await play(server, seconds);
      played.get(server.name)?.push(costs);
      for (const [what, count] of Object.entries(bad))
        line.bad[`${server.name} ${what}`] = (line.bad[`${server.name} ${what}`] ?? 0) + count;
    }
  }
  for (const [name, all] of played) line.costs[name] = medians(all, scenario.requestsPerUnit ?? 1);
  return line;
}

const COUNTERS = ['server', 'database', 'statements', 'rowsRead', 'rowsWritten', 'bytes', 'logged'] as const;

const medians = (rounds: Costs[], unit: number): Costs =>
  Object.fromEntries(
    COUNTERS.map((counter) => [counter, median(rounds.map((costs) => costs[counter] * unit))]),
  ) as Costs;

/**
 * Returns a function that reads the counters. It compensates for its own statements: it reads twice, and leaves out the
 * increase between the two.
 */
function counters(serverPid: number, { databasePid = 0, run, logLength }: Conditions): () => Promise<Costs> {
  let own: Costs | undefined;
  const read = async (): Promise<Costs> => {
    const logged = await logLength();
    const status = await statusOf(run);
    return {
      server: processorMicroseconds(serverPid),
      database: processorMicroseconds(databasePid),
      ...status,
      logged,
    };
  };
  return async () => {
    if (own !== undefined) {
      const costs = await read();
      for (const counter of COUNTERS) costs[counter] -= own[counter];
      return costs;
    }
    const first = await read();
    const second = await read();
    own = Object.fromEntries(COUNTERS.map((counter) => [counter, second[counter] - first[counter]])) as Costs;
    return second;
  };
}

/** Names of the database's counters, as regular expressions of MariaDB. */
const STATUS = {
  statements: /^Questions$/,
  rowsRead: /^Handler_read_/,
  rowsWritten: /^Handler_(write|update|delete)$/,
  bytes: /^Bytes_(received|sent)$/,
};

async function statusOf(run: Run): Promise<Record<keyof typeof STATUS, number>> {
  const rows = (await run('service', 'SHOW GLOBAL STATUS')) as { Variable_name: string; Value: string }[];
  const sum = (name: RegExp): number =>
    rows.reduce((total, row) => (name.test(row.Variable_name) ? total + Number(row.Value) : total), 0);
  return {
    statements: sum(STATUS.statements),
    rowsRead: sum(STATUS.rowsRead),
    rowsWritten: sum(STATUS.rowsWritten),
    bytes: sum(STATUS.bytes),
  };
}
