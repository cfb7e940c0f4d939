import { readFileSync } from 'node:fs';
import { OnlineCountService } from '../../src/device-groups/presence/online-count.service';
import type { BenchApp } from './bench-app';
import { beatOnce } from './heartbeat-crowd';
import type { Part } from './index';
import { measure, type Row } from './measure';

const FIRST_ID = 4_000_000;
/** Fewer of them for a quick look: `BENCH_DEVICES=1000`. They come no less often. */
const DEVICES = Number(process.env.BENCH_DEVICES ?? 10_000);
const EVERY_SECONDS = 30;
const SECONDS = (DEVICES / 10_000) * EVERY_SECONDS;
const CHUNK = 1_000;

/** What devices cost that are there: ten thousand, of which each beats every thirty seconds. */
export const devices: Part = {
  name: 'devices',
  async run(bench) {
    await load(bench);
    const tokens = await Promise.all(
      Array.from({ length: DEVICES }, (_, index) => bench.token(FIRST_ID + index)),
    );
    const few = await measure(() => bench.app.get(OnlineCountService).current());
    // The first time tokens are met, and devices come online.
    const first = await round(bench, tokens);
    // While they do so for the second time, the code that is used most is still being compiled.
    const second = await round(bench, tokens);
    const next = await round(bench, tokens);
    const many = await measure(() => bench.app.get(OnlineCountService).current());
    const online = await bench.app.get(OnlineCountService).current();
    const core = next.service / SECONDS;
    return [
      row(`${DEVICES} devices in ${SECONDS} s that come online: of a core`, first.service / SECONDS),
      row('the same again, while code is compiled: of a core', second.service / SECONDS),
      { ...row('once more, as from then on: of a core', core), target: '≤ 0.1', met: core <= 0.1 },
      row('that: of a core of the database', next.database / SECONDS),
      {
        ...row('not answered with 200', second.failed + next.failed),
        target: '0',
        met: second.failed + next.failed === 0 && online === DEVICES,
      },
      { what: 'how many are online, of none', value: few.p50, unit: 'ms' },
      {
        ...row(`how many are online, of ${DEVICES}, to that`, many.p50 / few.p50),
        target: '≤ 1.3',
        met: many.p50 / few.p50 <= 1.3,
      },
    ];
  },
};

const row = (what: string, value: number): Row => ({ what, value, unit: '×' });

/** Each device beats once; in processor seconds. */
async function round(
  { url, databasePid }: BenchApp,
  tokens: string[],
): Promise<{ service: number; database: number; failed: number }> {
  const [own, databases] = [process.cpuUsage(), secondsOf(databasePid)];
  const { answered, failed } = await beatOnce(url, tokens, SECONDS);
  const { user, system } = process.cpuUsage(own);
  return {
    service: (user + system) / 1_000_000,
    database: secondsOf(databasePid) - databases,
    failed: failed + tokens.length - answered,
  };
}

/** Processor time of another process, by Linux; 0 where there is none. */
function secondsOf(pid: number): number {
  if (pid === 0) return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Rows straight into the tables, as the service writes them. */
async function load({ dataSource }: BenchApp): Promise<void> {
  for (let first = 0; first < DEVICES; first += CHUNK) {
    const ids = Array.from(
      { length: Math.min(CHUNK, DEVICES - first) },
      (_, index) => FIRST_ID + first + index,
    );
    const users = ids.map((id) => `(${id}, 'D${id}', 'd${id}', '', 'user', 1, '2026-01-31 08:00:00.000')`);
    await dataSource.query(
      `INSERT INTO users (id, name, name_key, issuer, role, status, created_at) VALUES ${users.join(',')}`,
    );
    const rows = ids.map(
      (id) => `('D${id}', 'd${id}', 'SN-${id}', 'sn-${id}', 1, '2026-01-31 08:00:00.000', ${id})`,
    );
    await dataSource.query(
      `INSERT INTO devices (name, name_search, serial_no, serial_no_search, status, created_at, user_id)
       VALUES ${rows.join(',')}`,
    );
  }
}
