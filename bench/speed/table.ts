import { markdownTable } from '../markdown';
import type { ServerResult, Result } from './rounds';
import type { Speed } from './run';

/** Formats the results of one engine in Markdown. */
export function describeSpeed({ engine, results, atRest }: Speed): string {
  const rest = atRest.map(
    ({ server, startMs, residentMiB }) =>
      `- ${server}: ready ${startMs.toFixed(0)} ms after start, ${residentMiB.toFixed(0)} MiB at rest`,
  );
  const hasBaseline = results.some(({ baseline }) => baseline !== undefined);
  return [engine, rest.join('\n'), markdownTable(hasBaseline ? sideBySide(results) : alone(results))].join(
    '\n\n',
  );
}

const titleOf = ({ part, name }: Result): string => `${part}: ${name}`;

/** Times in milliseconds; processor time in milliseconds per request, of the server and of the database. */
function sideBySide(results: Result[]): string[][] {
  const head = [
    'endpoint',
    'per s',
    'baseline',
    'ratio',
    'p50',
    'baseline',
    'p99',
    'baseline',
    '×',
    'cpu + db',
    'baseline',
  ];
  const rows = results.map((result) => {
    const { service, baseline = service, ratio = 1, p99Ratio = 1 } = result;
    const both = (value: (figures: ServerResult) => string): string[] => [value(service), value(baseline)];
    return [
      titleOf(result),
      ...both(({ perSecond }) => perSecond.toFixed(0)),
      ratio.toFixed(2),
      ...both(({ p50 }) => p50.toFixed(1)),
      ...both(({ p99 }) => p99.toFixed(1)),
      p99Ratio.toFixed(2),
      ...both(({ serverCpu, databaseCpu }) => `${serverCpu.toFixed(2)} + ${databaseCpu.toFixed(2)}`),
    ];
  });
  return [head, ...rows];
}

function alone(results: Result[]): string[][] {
  const rows = results.map((result) => {
    const { perSecond, p50, p99, serverCpu } = result.service;
    return [titleOf(result), perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), serverCpu.toFixed(2)];
  });
  return [['endpoint', 'per s', 'p50', 'p99', 'cpu'], ...rows];
}

/** Describes the unexpected responses; empty if there were none. */
export function failures(results: Result[]): string[] {
  return results.flatMap((result) =>
    Object.entries({ service: result.service, baseline: result.baseline }).flatMap(([server, figures]) =>
      Object.entries(figures?.bad ?? {}).map(
        ([what, count]) => `${titleOf(result)}: ${server} responded ${what} ${count} times`,
      ),
    ),
  );
}
