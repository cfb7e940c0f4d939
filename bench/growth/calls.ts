import type { DataSource } from 'typeorm';
import { CallHistory } from '../../src/calls/call-history';
import { CallEntity } from '../../src/calls/entities/call.entity';
import { CallHistoryEntity } from '../../src/calls/entities/call-history.entity';
import type { BenchApp } from './bench-app';
import { measure, type Row } from './measure';

const BUSY_USER = 1;
const QUIET_USER = 2;
const MANY = 100_000;
const FEW = 20;
const CHUNK = 1_000;

/** How the cost of one's own call history grows with it. */
export const calls = {
  name: 'calls',
  async run({ app, dataSource }: BenchApp): Promise<Row[]> {
    await fill(dataSource, BUSY_USER, MANY, 1);
    await fill(dataSource, QUIET_USER, FEW, MANY + 1);
    const history = app.get(CallHistory);
    const list = (user: number, page: number) =>
      measure(() => history.list(user, { page, per_page: 20 }), 60);
    const quiet = await list(QUIET_USER, 1);
    const first = await list(BUSY_USER, 1);
    const deep = await list(BUSY_USER, MANY / 20);
    return [
      { what: `page 1 of ${FEW} calls`, value: quiet.p50, unit: 'ms' },
      { what: `page 1 of ${MANY} calls`, value: first.p50, unit: 'ms' },
      { what: `page ${MANY / 20} of ${MANY} calls`, value: deep.p50, unit: 'ms' },
      { what: 'page 1 of many / page 1 of few', value: first.p50 / quiet.p50, unit: '×' },
      { what: 'last page / page 1, of many', value: deep.p50 / first.p50, unit: '×' },
    ];
  },
};

async function fill(dataSource: DataSource, userId: number, count: number, firstId: number): Promise<void> {
  const now = new Date('2026-01-31T08:00:00.000Z');
  for (let start = 0; start < count; start += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, count - start) }, (_, index) => firstId + start + index);
    await dataSource.getRepository(CallEntity).insert(
      ids.map((id) => ({
        id,
        caller_id: userId,
        callee_id: 1000 + (id % 50),
        request_id: null,
        media_type: 'audio' as const,
        status: 'ended' as const,
        end_reason: 'local_hangup',
        ended_by: userId,
        version: 4,
        channel_name: `call-${id}`,
        caller_uid: 1,
        callee_uid: 2,
        answered_terminal_id: '',
        deadline_at: null,
        created_at: now,
        ring_expires_at: now,
        accepted_at: now,
        started_at: now,
        ended_at: now,
      })),
    );
    await dataSource.getRepository(CallHistoryEntity).insert(
      ids.map((id) => ({
        user_id: userId,
        call_id: id,
        peer_id: 1000 + (id % 50),
        direction: 'outgoing' as const,
        media_type: 'audio' as const,
        missed: false,
      })),
    );
  }
}
