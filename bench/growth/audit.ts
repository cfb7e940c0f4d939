import { AuditLogService } from '../../src/audit/audit-log.service';
import type { ListAuditQuery } from '../../src/audit/dto/audit-requests.dto';
import type { BenchApp, BenchPart } from './bench-app';
import { measure, type Row } from './measure';

const FEW = 1_000;
const MANY = 1_000_000;
const CHUNK = 1_000;
const TARGET = 1.5;
const BEGIN = Date.parse('2025-02-01T00:00:00.000Z');
/** The administrator of all rows, and one without rows. */
const [BUSY, IDLE] = [1, 2];

/** Inserts rows directly into the table: one administrator changes one user after another, every 30 seconds. */
async function load({ dataSource }: BenchApp, from: number, to: number): Promise<void> {
  const columns =
    'at, actor_type, actor_id, actor_name, ip, request_id, action, object_type, object_id, fields_before, fields_after';
  for (let first = from; first < to; first += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, to - first) }, (_, index) => {
      const at = new Date(BEGIN + (first + index) * 30_000).toISOString().replace('T', ' ').slice(0, 23);
      const what = `'user.update', 'user', '${(first + index) % 5_000}', '{"status":1}', '{"status":0}'`;
      return `('${at}', 'user', ${BUSY}, 'Boss', '192.0.2.7', 'r${first + index}', ${what})`;
    });
    await dataSource.query(`INSERT INTO audit_log (${columns}) VALUES ${rows.join(',')}`);
  }
}

/** Queries of the audit log. Each has constant cost if its index is used. */
const PAGES: Record<string, Partial<ListAuditQuery>> = {
  'first page': {},
  'page of an administrator without rows': { actor_id: IDLE },
  'page of an action without rows': { action: 'webhook.rotate' },
  'page of one user’s history': { object_type: 'user', object_id: '7' },
};

/** The audit log as it grows to a million rows. */
export const audit: BenchPart = {
  name: 'audit',
  async run(bench) {
    const log = bench.app.get(AuditLogService);
    const time = async (): Promise<number[]> => {
      const times: number[] = [];
      for (const filter of Object.values(PAGES))
        times.push((await measure(() => log.list({ limit: 50, ...filter }))).p50);
      return times;
    };
    await load(bench, 0, FEW);
    const small = await time();
    await load(bench, FEW, MANY);
    const large = await time();
    return Object.keys(PAGES).flatMap((page, index): Row[] => {
      const [before = 0, after = 0] = [small[index], large[index]];
      const value = after / before;
      return [
        { what: `${page} of ${FEW} audit rows`, value: before, unit: 'ms' },
        {
          what: `the same of ${MANY} rows, relative`,
          value,
          unit: '×',
          target: `≤ ${TARGET}`,
          met: value <= TARGET,
        },
      ];
    });
  },
};
