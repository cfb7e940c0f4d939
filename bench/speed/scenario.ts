import type { Request } from 'autocannon';
import type { Plan } from '../seed/plan';
import { tokenOf } from '../tokens';
import type { Server } from './servers';

/** Runs one statement on the database of a server under test, between rounds. */
export type Run = (server: Server['name'], sql: string) => Promise<unknown>;

/** One line of the table: requests that a number of connections send repeatedly. */
export interface Scenario {
  /** Part of the benchmark that the scenario belongs to. */
  part: 'notifications' | 'messaging' | 'device-groups' | 'calls';
  name: string;
  kind: 'read' | 'write';
  /** Requests that connection number `index` of `connections` sends in turn. */
  requests(plan: Plan, index: number, connections: number): Request[];
  /** If each request can be sent only once: their number. The round ends when they are used up. */
  amount?(plan: Plan): number;
  /** Statements that restore the state before the round. The floor has the service's tables. */
  reset?: Record<Exclude<Server['name'], 'floor'>, (plan: Plan) => string[]>;
  /** Expected status of every response. Default: 200. */
  status?: number;
  /** Requests per unit of the table. Default: 1. */
  requestsPerUnit?: number;
  /** Number of concurrent requests. Default: that of the run. */
  connections?: number;
  /** Servers that implement the requests. Default: `BOTH`. */
  servers?: readonly Server['name'][];
  /** Measured with `--cpu` only. */
  isCpuOnly?: true;
}

/** The servers of lines that are not in the floor. */
export const BOTH: readonly Server['name'][] = ['service', 'baseline'];
/** The servers of lines that all of them implement. */
export const ALL: readonly Server['name'][] = [...BOTH, 'floor'];

const tokens = new Map<string, string>();

/** Authorization header of a user. Tokens are cached. */
export function as(user: number, role: 'user' | 'admin' = 'user'): { authorization: string } {
  const key = `${user} ${role}`;
  const token = tokens.get(key) ?? tokenOf(user, role);
  tokens.set(key, token);
  return { authorization: `Bearer ${token}` };
}

/** Header of requests with a body. */
export const JSON_BODY = { 'content-type': 'application/json' };

/** A line of one GET request. */
export const read = (
  part: Scenario['part'],
  name: string,
  path: (plan: Plan) => string,
  headers = as(1),
): Scenario => ({
  part,
  name,
  kind: 'read',
  requests: (plan) => [{ method: 'GET', path: path(plan), headers }],
});

/** Returns the unique name of a scenario. */
export const titleOf = ({ part, name }: Scenario): string => `${part}: ${name}`;
