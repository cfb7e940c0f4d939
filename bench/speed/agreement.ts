import type { DataSource } from 'typeorm';
import type { Plan } from '../seed/plan';
import { exchange, masked, type Sent } from './exchange';
import { readsOf, writesOf } from './requests';
import type { Server } from './servers';

/** One server, and the database it works on. */
export interface Side {
  server: Server;
  dataSource: DataSource;
}

/**
 * Asks both servers the same; neither changes anything.
 * @throws {Error} at the first answer that is not the same, byte for byte
 */
export async function compareReads(service: Server, baseline: Server, plan: Plan): Promise<void> {
  for (const sent of readsOf(plan)) await compareAnswers(service, baseline, sent, new Date());
}

/**
 * Lets both servers, each on a database of its own with the same rows in it, do the same: the answers must be the same,
 * and afterwards every row of every table, events and counters included.
 * @throws {Error} at the first difference
 */
export async function compareWrites(service: Side, baseline: Side, plan: Plan): Promise<void> {
  const start = new Date();
  for (const sent of writesOf(plan)) await compareAnswers(service.server, baseline.server, sent, start);
  for (const table of await tablesOf(service.dataSource)) {
    const [expected, actual] = [
      await rowsOf(service.dataSource, table, start),
      await rowsOf(baseline.dataSource, table, start),
    ];
    const place = expected.findIndex((row, index) => row !== actual[index]);
    const at = place < 0 && actual.length > expected.length ? expected.length : place;
    if (at >= 0) throw new Error(`${table} differs:\nservice ${expected[at]}\nlimit   ${actual[at]}`);
  }
}

async function compareAnswers(service: Server, baseline: Server, sent: Sent, start: Date): Promise<void> {
  const expected = JSON.stringify(await exchange(service.url, sent, start));
  const actual = JSON.stringify(await exchange(baseline.url, sent, start));
  if (actual !== expected)
    throw new Error(
      `${sent.method} ${sent.path} as user ${sent.user} ${JSON.stringify(sent.body ?? '')} is answered differently:
service ${expected}
baseline   ${actual}`,
    );
}

async function tablesOf(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ name: string }[]>(
    "SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME <> 'migrations'",
  );
  return rows.map(({ name }) => name);
}

/** Media uids are drawn by lot. */
const RANDOM = new Set(['caller_uid', 'callee_uid']);

/** All rows of a table as text, in an order of their own. */
async function rowsOf(dataSource: DataSource, table: string, start: Date): Promise<string[]> {
  const rows = await dataSource.query<Record<string, unknown>[]>(`SELECT * FROM \`${table}\``);
  const plain = (name: string, value: unknown): unknown => {
    if (RANDOM.has(name)) return '<uid>';
    return typeof value === 'string' ? masked(value, start) : value;
  };
  return rows.map((row) => JSON.stringify(row, plain)).toSorted();
}
