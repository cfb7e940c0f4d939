import { type Result, TARGETS } from './rounds';

const COLUMNS = ['', 'service/s', 'limit/s', 'ratio', 'p50', '', 'p99', '', '×', 'cpu', '', 'db cpu', ''];

/** The results as lines for people. */
export function speedTable(results: Result[]): string {
  const rows = results.map(({ name, service, limit, ratio, p99Ratio, met, kind }) => [
    name,
    service.perSecond.toFixed(0),
    limit?.perSecond.toFixed(0) ?? '',
    ratio?.toFixed(2) ?? '',
    service.p50.toFixed(1),
    limit?.p50.toFixed(1) ?? '',
    service.p99.toFixed(1),
    limit?.p99.toFixed(1) ?? '',
    p99Ratio?.toFixed(2) ?? '',
    service.serverCpu.toFixed(2),
    limit?.serverCpu.toFixed(2) ?? '',
    service.databaseCpu.toFixed(2),
    limit?.databaseCpu.toFixed(2) ?? '',
    met === undefined ? '' : met ? 'met' : `MISSED (${TARGETS[kind]}, ${TARGETS.p99})`,
  ]);
  const lines = [COLUMNS, ...rows].map((cells) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(32) : index > 12 ? ` ${cell}` : cell.padStart(9)))
      .join('')
      .trimEnd(),
  );
  return lines.join('\n');
}

/** Answers that were not the expected ones, in words; empty when there were none. */
export function failures(results: Result[]): string[] {
  return results.flatMap(({ part, name, service, limit }) =>
    Object.entries({ service, limit }).flatMap(([server, figures]) =>
      Object.entries(figures?.bad ?? {}).map(
        ([what, count]) => `${part}: ${name}: ${server} answered ${what} ${count} times`,
      ),
    ),
  );
}
