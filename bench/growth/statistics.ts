import { daysFrom } from '../../src/statistics/rules/calendar-days.rules';
import { callMetrics } from '../../src/statistics/rules/metrics.rules';
import { RecountService } from '../../src/statistics/services/recount.service';
import { addFigures } from '../../src/statistics/store/daily-figures.store';
import type { BenchApp, BenchPart } from './bench-app';
import { measure, type Row } from './measure';

const TARGET = 1.5;
const SMALL = 1_000;
/** Number of copies of the initial calls, inserted with one statement. */
const COPIES = 27;
const LARGE = 1_000_000;
const DAYS = 30;
/** A year without calls in it. */
const YEAR = { from: '2028-01-01', to: '2028-12-31' };
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Time of the dashboard's two requests with a million calls, relative to a thousand. */
export const statistics: BenchPart = {
  name: 'statistics',
  async run(bench) {
    const dashboard = await createReader(bench);
    await loadInitialCalls(bench);
    await recount(bench);
    await dashboard(SMALL);
    const few = await measure(() => dashboard(SMALL));
    for (let calls = SMALL; calls < LARGE; calls += SMALL * COPIES) await copyCalls(bench, calls);
    const began = performance.now();
    await recount(bench);
    const seconds = (performance.now() - began) / 1_000;
    const much = await measure(() => dashboard(LARGE));
    const value = much.p50 / few.p50;
    await loadYear(bench);
    const year = await measure(await createYearReader(bench));
    return [
      { what: `dashboard with ${SMALL.toLocaleString('en')} calls`, value: few.p50, unit: 'ms' },
      {
        what: `dashboard with ${LARGE.toLocaleString('en')} calls`,
        value,
        unit: '×',
        target: `≤ ${TARGET}`,
        met: value <= TARGET,
      },
      { what: 'calls of 366 days', value: year.p50, unit: 'ms' },
      { what: `recount of ${LARGE.toLocaleString('en')} calls`, value: seconds * 1_000, unit: 'ms' },
    ] satisfies Row[];
  },
};

/** Returns a function that requests the dashboard's data and asserts the number of calls in it. */
async function createReader(bench: BenchApp): Promise<(calls: number) => Promise<void>> {
  const get = await createGetter(bench);
  return async (calls) => {
    const [figures, overview] = await Promise.all([
      get<{ total: { created: number } }>('/api/admin/stats/calls'),
      get<{ days: { calls: number }[] }>('/api/admin/stats/overview'),
    ]);
    const shown = overview.days.reduce((sum, day) => sum + day.calls, 0);
    if (figures.total.created !== calls || shown !== calls)
      throw new Error(`${figures.total.created} and ${shown} calls instead of ${calls}`);
  };
}

/** Returns a function that requests the longest range that the route allows. */
async function createYearReader(bench: BenchApp): Promise<() => Promise<unknown>> {
  const get = await createGetter(bench);
  return () => get(`/api/admin/stats/calls?from=${YEAR.from}&to=${YEAR.to}`);
}

async function createGetter(bench: BenchApp) {
  const headers = { authorization: `Bearer ${await bench.token(1, 'admin')}` };
  return async <T>(url: string): Promise<T> => {
    const { code, data } = JSON.parse((await bench.app.inject({ url, headers })).body) as {
      code: number;
      data: T;
    };
    if (code !== 0) throw new Error(`${url}: code ${code}`);
    return data;
  };
}

const COLUMNS = [
  'caller_id, callee_id, media_type, status, end_reason, ended_by, version, caller_uid, callee_uid',
  'created_at, ring_expires_at, accepted_at, ended_at',
].join(', ');

const at = (ms: number): string => `'${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}'`;

/** Inserts calls of the last days: three of five are answered. */
async function loadInitialCalls({ dataSource }: BenchApp): Promise<void> {
  const now = Date.now();
  const rows = Array.from({ length: SMALL }, (_, index) => {
    const began = now - ((index % (DAYS - 1)) * DAY_MS + 60 * 60 * 1_000);
    const isAnswered = index % 5 < 3;
    const ended = began + (isAnswered ? 5_000 + (index % 7) * 60_000 : 60_000);
    const media = index % 2 === 0 ? 'audio' : 'video';
    const reason = isAnswered ? 'local_hangup' : 'no_answer';
    const accepted = isAnswered ? at(began + 4_000) : 'NULL';
    return `(1, 2, '${media}', 'ended', '${reason}', NULL, 3, 1, 2, ${at(began)}, ${at(began + 60_000)}, ${accepted}, ${at(ended)}, 'call-${index}')`;
  });
  await dataSource.query(`INSERT INTO calls (${COLUMNS}, channel_name) VALUES ${rows.join(', ')}`);
}

/** Inserts a year in which every day has every metric. */
async function loadYear({ dataSource }: BenchApp): Promise<void> {
  const figures = daysFrom(YEAR.from, YEAR.to).flatMap((day) =>
    callMetrics().map((metric) => ({ metric, day, value: 1 })),
  );
  await addFigures(dataSource.manager, figures);
}

/** Inserts copies of the initial calls. @param calls number of initial calls */
async function copyCalls({ dataSource }: BenchApp, calls: number): Promise<void> {
  const copies = Array.from({ length: COPIES }, (_, index) => `SELECT ${calls + index * SMALL} AS first`);
  await dataSource.query(
    `INSERT INTO calls (${COLUMNS}, channel_name)
     SELECT ${COLUMNS}, CONCAT('call-', n.first + c.id) FROM calls c
     CROSS JOIN (${copies.join(' UNION ALL ')}) n WHERE c.id <= ${SMALL}`,
  );
}

async function recount({ app }: BenchApp): Promise<void> {
  for await (const drift of app.get(RecountService).repair())
    if (!Number.isSafeInteger(drift.actual)) throw new Error(`${drift.metric} is ${drift.actual}`);
}
