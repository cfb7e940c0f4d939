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

/** Formats the costs in Markdown: processor time in microseconds, the rest per unit. */
export function describeCosts(lines: CostLine[]): string {
  const head = [
    'endpoint',
    'connections',
    'cpu + db',
    'reference',
    '',
    'ratio',
    '',
    'statements',
    'reference',
    'rows read',
    'reference',
    'rows written',
    'reference',
    'bytes',
    'reference',
    'log',
    'reference',
  ];
  return markdownTable([head, ...lines.map(toRow)]);
}

/** The server that the service is compared with: the floor where it implements the line, otherwise the baseline. */
function referenceOf({ costs: { floor, baseline } }: CostLine): { name: string; costs: Costs } | undefined {
  if (floor !== undefined) return { name: 'floor', costs: floor };
  return baseline && { name: 'baseline', costs: baseline };
}

function toRow(line: CostLine): string[] {
  const { service } = line.costs;
  const reference = referenceOf(line);
  const both = (value: (costs: Costs) => string): string[] => [
    service === undefined ? '' : value(service),
    reference === undefined ? '' : value(reference.costs),
  ];
  const ratio = service && reference && total(reference.costs) / total(service);
  return [
    `${line.part}: ${line.name}`,
    String(line.connections),
    ...both(({ server, database }) => `${server.toFixed(0)} + ${database.toFixed(0)}`),
    reference?.name ?? '',
    ratio?.toFixed(2) ?? '',
    ratio === undefined ? '' : verdict(line, ratio),
    ...both(({ statements }) => statements.toFixed(1)),
    ...both(({ rowsRead }) => rowsRead.toFixed(0)),
    ...both(({ rowsWritten }) => rowsWritten.toFixed(1)),
    ...both(({ bytes }) => bytes.toFixed(0)),
    ...both(({ logged }) => logged.toFixed(0)),
  ];
}

const total = ({ server, database }: Costs): number => server + database;

function verdict({ part, name, connections }: CostLine, ratio: number): string {
  const [, busy, alone] = TARGETS.find(([lines]) => `${part}: ${name}`.startsWith(lines)) ?? [];
  const target = connections === 1 ? alone : busy;
  return target === undefined ? '' : `≥ ${target.toFixed(2)} ${ratio >= target ? 'met' : 'MISSED'}`;
}

/** Describes the unexpected responses; empty if there were none. */
export const costFailures = (lines: CostLine[]): string[] =>
  lines.flatMap(({ part, name, bad }) =>
    Object.entries(bad).map(([what, count]) => `${part}: ${name}: ${what} ${count} times`),
  );
