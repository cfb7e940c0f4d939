import type { DataSource } from 'typeorm';
import type { Drift } from '../../src/common/drift';
import type { CallId, UserId } from '../../src/common/ids';
import { CallEntity, type MediaType } from '../../src/calls/entities/call.entity';
import type { Direction } from '../../src/calls/entities/call-position.entity';
import { CallListRepairService } from '../../src/calls/services/call-list-repair.service';
import { insertRows } from '../../src/database/sql/statements';
import { PositionCalls1764200000000 } from '../../src/database/migrations/1764200000000-PositionCalls';
import type { TestApp } from './test-app';

const CHUNK = 500;

/** A finished call in one user's history. */
export interface PastCall {
  id: number;
  peer_id: number;
  direction: Direction;
  media_type: MediaType;
  missed: boolean;
}

/** Inserts finished calls of one user into the database. */
export async function addPastCalls(dataSource: DataSource, userId: number, past: PastCall[]): Promise<void> {
  const moment = new Date('2026-01-31T08:00:00.000Z');
  for (let start = 0; start < past.length; start += CHUNK) {
    const chunk = past.slice(start, start + CHUNK);
    await insertRows(
      dataSource.manager,
      CallEntity,
      chunk.map(({ id, peer_id, direction, media_type, missed }) => ({
        id: id as CallId,
        caller_id: (direction === 'outgoing' ? userId : peer_id) as UserId,
        callee_id: (direction === 'outgoing' ? peer_id : userId) as UserId,
        media_type,
        status: missed ? ('cancelled' as const) : ('rejected' as const),
        version: 2,
        channel_name: `call-${id}`,
        caller_uid: 1,
        callee_uid: 2,
        created_at: moment,
        ring_expires_at: moment,
        ended_at: moment,
      })),
    );
  }
}

/** Builds the call lists from the stored calls, as the migration does. */
export async function insertCallLists(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  for (const table of ['call_counts', 'call_positions', 'missed_call_positions'])
    await runner.query(`DELETE FROM ${table}`);
  await new PositionCalls1764200000000().up(runner);
  await runner.release();
}

/** Recomputes all call lists as `npm run repair:counters` does. Returns the differences. */
export async function repairCallLists({ app }: TestApp): Promise<Drift[]> {
  const drift: Drift[] = [];
  for await (const found of app.get(CallListRepairService).repair()) drift.push(found);
  return drift;
}
