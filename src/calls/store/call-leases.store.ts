import type { EntityManager } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import {
  excluded,
  lockingEnd,
  onConflictUpdate,
  placeholders,
  type RawTimestamp,
  toDateOrNull,
  toSqlTimestamp,
  tuples,
} from '../../database/sql/dialect';
import { updateEach, updateRows } from '../../database/sql/statements';
import { CallMediaPresenceEntity } from '../entities/call-media-presence.entity';
import { CallEntity } from '../entities/call.entity';

/** The state of a call that its deadline depends on. */
export interface LeaseState {
  /** Null: not answered yet. */
  acceptedAt: Date | null;
  /** Null: finished. */
  deadlineAt: Date | null;
  /** The end of each participant's grace period or lease; null: the participant has neither. */
  graceDeadlines: Map<UserId, Date | null>;
}

export interface LeaseHolder {
  userId: UserId;
  callId: CallId;
}

interface Row {
  id: CallId;
  accepted_at: RawTimestamp | null;
  deadline_at: RawTimestamp | null;
  user_id: UserId | null;
  grace_until: RawTimestamp | null;
}

/** Locks the calls, by ascending id, and reads their state with the same statement. Unknown calls are omitted. */
export async function lockForLeases(em: EntityManager, callIds: CallId[]): Promise<Map<CallId, LeaseState>> {
  const rows = await em.query<Row[]>(
    `SELECT c.id, c.accepted_at, c.deadline_at, p.user_id, p.grace_until
     FROM calls c LEFT JOIN call_media_presences p ON p.call_id = c.id
     WHERE c.id IN (${placeholders(callIds)}) ORDER BY c.id${lockingEnd(em)}`,
    callIds,
  );
  const states = new Map<CallId, LeaseState>();
  for (const { id, accepted_at, deadline_at, user_id, grace_until } of rows) {
    const state = states.get(id) ?? {
      acceptedAt: toDateOrNull(accepted_at),
      deadlineAt: toDateOrNull(deadline_at),
      graceDeadlines: new Map<UserId, Date | null>(),
    };
    if (user_id !== null) state.graceDeadlines.set(user_id, toDateOrNull(grace_until));
    states.set(id, state);
  }
  return states;
}

/** Stores participants (at least one) as joined, with a lease until `until`. */
export async function writeLeases(
  em: EntityManager,
  holders: readonly LeaseHolder[],
  until: Date,
): Promise<void> {
  const columns = ['call_id', 'user_id', 'state', 'position', 'happened_at', 'returned', 'grace_until'];
  const changed = ['state', 'grace_until'].map((name) => `${name} = ${excluded(em, name)}`).join(', ');
  await em.query(
    `INSERT INTO call_media_presences (${columns.join(', ')}) VALUES ${tuples(holders, placeholders(columns))}
     ${onConflictUpdate(em, ['call_id', 'user_id'], changed)}`,
    holders.flatMap(({ callId, userId }) => [
      callId,
      userId,
      'joined',
      '',
      0,
      null,
      toSqlTimestamp(em, until),
    ]),
  );
}

/**
 * Starts the grace period of a caller whose connection was lost before the call was answered, and lowers the deadline of
 * the call to its end. The caller of the function has locked the call.
 */
export async function startGraceOfLost(em: EntityManager, call_id: CallId, grace_until: Date): Promise<void> {
  const lost = await updateRows<CallMediaPresenceEntity>(
    em,
    CallMediaPresenceEntity,
    { call_id, state: 'lost' },
    { grace_until },
  );
  if (lost > 0) await writeDeadlines(em, new Map([[call_id, grace_until]]));
}

/** Sets the deadlines of calls (at least one), which must be locked. */
export async function writeDeadlines(em: EntityManager, deadlines: ReadonlyMap<CallId, Date>): Promise<void> {
  const rows = Array.from(deadlines, ([id, deadline_at]) => ({ id, deadline_at }));
  await updateEach(em, CallEntity, 'id', rows);
}
