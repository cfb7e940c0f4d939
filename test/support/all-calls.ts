import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { CallEntity } from '../../src/calls/entities/call.entity';
import type { UserId } from '../../src/common/ids';
import { insertAllotted } from '../../src/database/sql/statements';

const CHUNK = 500;

/** Fields of a call that are searched. */
export type SoughtCall = Pick<CallEntity, 'media_type' | 'status' | 'end_reason' | 'created_at'> & {
  caller_id: number;
  callee_id: number;
};

/** Inserts calls into the database without entries in the users' histories. Returns the ids in the same order. */
export async function addCalls(dataSource: DataSource, calls: readonly SoughtCall[]): Promise<number[]> {
  const ids: number[] = [];
  for (let start = 0; start < calls.length; start += CHUNK) {
    const rows = calls.slice(start, start + CHUNK).map((call) => ({
      ...call,
      caller_id: call.caller_id as UserId,
      callee_id: call.callee_id as UserId,
      version: 2,
      channel_name: `call-${randomUUID()}`,
      caller_uid: 1,
      callee_uid: 2,
      ring_expires_at: call.created_at,
      ended_at: call.end_reason === null ? null : call.created_at,
    }));
    ids.push(...(await insertAllotted(dataSource.manager, CallEntity, rows)));
  }
  return ids;
}
