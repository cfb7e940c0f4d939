import { readFileSync } from 'node:fs';
import { OnlineCountService } from '../../src/device-groups/presence/online-count.service';
import type { BenchApp, BenchPart } from './bench-app';
import { sendHeartbeats } from './heartbeat-crowd';
import { measure, type Row } from './measure';

const FIRST_ID = 4_000_000;
/** `BENCH_DEVICES=1000` reduces the number for a quick run. The heartbeat interval stays the same. */
const DEVICES = Number(process.env.BENCH_DEVICES ?? 10_000);
const EVERY_SECONDS = 30;
const SECONDS = (DEVICES / 10_000) * EVERY_SECONDS;
const CHUNK = 1_000;

/** Cost of online devices: ten thousand, each sending a heartbeat every 30 seconds. */
export const devices: BenchPart = {
  name: 'devices',
  async run(bench) {
    await load(bench);
    const tokens = await Promise.all(
      Array.from({ length: DEVICES }, (_, index) => bench.token(FIRST_ID + index)),
    );
    const few = await measure(() => bench.app.get(OnlineCountService).current());
    // In the first round the tokens are not cached, and the devices come online.
    const first = await round(bench, tokens);
    // In the second round the hot code is still being compiled.
    const second = await round(bench, tokens);
    const next = await round(bench, tokens);
    const many = await measure(() => bench.app.get(OnlineCountService).current());
    const online = await bench.app.get(OnlineCountService).current();
    const core = next.service / SECONDS;
    return [
      row(`${DEVICES} devices come online in ${SECONDS} s: share of a core`, first.service / SECONDS),
      row('second round, code being compiled: share of a core', second.service / SECONDS),
      { ...row('third round: share of a core', core), target: '≤ 0.1', met: core <= 0.1 },
      row('third round: share of a core, database', next.database / SECONDS),
      {
        ...row('responses other than 200', second.failed + next.failed),
        target: '0',
        met: second.failed + next.failed === 0 && online === DEVICES,
      },
      { what: 'number of online devices, of none', value: few.p50, unit: 'ms' },
      {
        ...row(`number of online devices, of ${DEVICES}, relative`, many.p50 / few.p50),
        target: '≤ 1.3',
        met: many.p50 / few.p50 <= 1.3,
      },
    ];
  },
};

const row = (what: string, value: number): Row => ({ what, value, unit: '×' });

/** Sends one heartbeat per device. Returns processor seconds. */
async function round(
  { url, databasePid }: BenchApp,
  tokens: string[],
): Promise<{ service: number; database: number; failed: number }> {
  const [own, databases] = [process.cpuUsage(), secondsOf(databasePid)];
  const { answered, failed } = await sendHeartbeats(url, tokens, SECONDS);
  const { user, system } = process.cpuUsage(own);
  return {
    service: (user + system) / 1_000_000,
    database: secondsOf(databasePid) - databases,
    failed: failed + tokens.length - answered,
  };
}

/** Processor time of another process, read from Linux's /proc; 0 without one. */
function secondsOf(pid: number): number {
  if (pid === 0) return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Inserts rows directly into the tables, as the service writes them. */
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
