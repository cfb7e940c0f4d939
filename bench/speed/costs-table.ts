import { markdownTable } from '../markdown';
import type { CostLine, Costs } from './costs';

/**
 * Minimum processor time of the reference, service + database, as a share of the service's: at 16 connections and at
 * one. The first entry that is a prefix of the title applies; lines without one are only printed.
 */
const TARGETS: readonly (readonly [lines: string, busy: number, alone: number])[] = [
  ['messaging: send to a single chat', 0.7, 0.7],
  ['messaging: send to a group of 50', 0.7, 0.7],
  ['messaging: one account to many groups', 0.65, 0.65],
  ['messaging: send, open', 0.7, 0.7],
  ['messaging: conversations', 0.8, 0.8],
  ['messaging: history, page 1', 0.85, 0.85],
  ['calls', 0.85, 0.85],
  ['notifications: mark', 0.75, 0.75],
  ['notifications: unread count', 1, 0.7],
  ['notifications: page 1', 0.8, 0.8],
  ['notifications: any page', 0.6, 0.6],
  ['device-groups: list', 0.95, 0.95],
];

/**
 * Formats the costs in two Markdown tables: the processor time of each line in microseconds, at its connections and at
 * one; and its statements, rows and bytes.
 */
export const describeCosts = (lines: CostLine[]): string => `${processorTime(lines)}\n\n${counters(lines)}`;

function processorTime(lines: CostLine[]): string {
  const head = ['cpu + db', 'reference', 'ratio', 'target'];
  const rows = Map.groupBy(lines, titleOf);
  return markdownTable([
    ['endpoint', 'reference', ...head, ...head.map((column) => `alone: ${column}`)],
    ...Array.from(rows, ([title, ofTitle]) => [
      title,
      ofTitle.map((line) => referenceOf(line)?.name)[0] ?? '',
      ...ofTitle.flatMap(toTimes),
    ]),
  ]);
}

function toTimes(line: CostLine): string[] {
  const { service } = line.costs;
  const reference = referenceOf(line)?.costs;
  if (service === undefined || reference === undefined) return [timeOf(service), timeOf(reference), '', ''];
  const ratio = total(reference) / total(service);
  return [timeOf(service), timeOf(reference), ratio.toFixed(2), verdict(line, ratio)];
}

const timeOf = (costs: Costs | undefined): string =>
  costs === undefined ? '' : `${costs.server.toFixed(0)} + ${costs.database.toFixed(0)}`;

function counters(lines: CostLine[]): string {
  const head = ['statements', 'rows read', 'rows written', 'bytes', 'log'];
  return markdownTable([
    ['endpoint', 'connections', ...head.flatMap((column) => [column, 'reference'])],
    ...lines.map((line) => [titleOf(line), String(line.connections), ...toCounts(line)]),
  ]);
}

function toCounts(line: CostLine): string[] {
  const both = (value: (costs: Costs) => string): string[] =>
    [line.costs.service, referenceOf(line)?.costs].map((costs) => (costs === undefined ? '' : value(costs)));
  return [
    ...both(({ statements }) => statements.toFixed(1)),
    ...both(({ rowsRead }) => rowsRead.toFixed(0)),
    ...both(({ rowsWritten }) => rowsWritten.toFixed(1)),
    ...both(({ bytes }) => bytes.toFixed(0)),
    ...both(({ logged }) => logged.toFixed(0)),
  ];
}

/** The server that the service is compared with: the floor where it implements the line, otherwise the baseline. */
function referenceOf({ costs: { floor, baseline } }: CostLine): { name: string; costs: Costs } | undefined {
  if (floor !== undefined) return { name: 'floor', costs: floor };
  return baseline && { name: 'baseline', costs: baseline };
}

const titleOf = ({ part, name }: CostLine): string => `${part}: ${name}`;

const total = ({ server, database }: Costs): number => server + database;

function verdict(line: CostLine, ratio: number): string {
  const [, busy, alone] = TARGETS.find(([lines]) => titleOf(line).startsWith(lines)) ?? [];
  const target = line.connections === 1 ? alone : busy;
  return target === undefined ? '' : `≥ ${target.toFixed(2)} ${ratio >= target ? 'met' : 'MISSED'}`;
}

/** Describes the unexpected responses; empty if there were none. */
export const costFailures = (lines: CostLine[]): string[] =>
  lines.flatMap(({ part, name, bad }) =>
    Object.entries(bad).map(([what, count]) => `${part}: ${name}: ${what} ${count} times`),
  );
