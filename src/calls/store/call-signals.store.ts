import type { EntityManager } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import {
  lockingEnd,
  placeholders,
  type RawTimestamp,
  toDate,
  toDateOrNull,
  toSqlTimestamp,
} from '../../database/sql/dialect';
import { affectedBy, deleteRows, findRows, insertRows } from '../../database/sql/statements';
import type { CallEntity } from '../entities/call.entity';
import { CallSignalEntity } from '../entities/call-signal.entity';

/** The state of a call, and of a user's signals in it, that is needed to relay another signal. */
export interface SignallingState {
  call: Pick<
    CallEntity,
    | 'id'
    | 'caller_id'
    | 'callee_id'
    | 'status'
    | 'caller_terminal_id'
    | 'answered_terminal_id'
    | 'deadline_at'
  >;
  /** The user's stored signals. */
  sent: { signal_id: string; created_at: Date }[];
  /** End of the lease of the user's terminal; null: it has no lease. */
  leaseUntil: Date | null;
}

type Row = Omit<SignallingState['call'], 'deadline_at'> & {
  deadline_at: RawTimestamp | null;
  grace_until: RawTimestamp | null;
  signal_id: string | null;
  sent_at: RawTimestamp | null;
};

/**
 * Locks the call and reads the state with the same statement; undefined if the call does not exist. The lock prevents a
 * signal from being inserted after the end of the call, which deletes its signals, and serialises a user's signals.
 */
export async function lockForSignal(
  em: EntityManager,
  callId: CallId,
  userId: UserId,
): Promise<SignallingState | undefined> {
  const rows = await em.query<Row[]>(
    `SELECT c.id, c.caller_id, c.callee_id, c.status, c.caller_terminal_id, c.answered_terminal_id, c.deadline_at,
       p.grace_until, s.signal_id, s.created_at AS sent_at
     FROM calls c LEFT JOIN call_media_presences p ON p.call_id = c.id AND p.user_id = ?
       LEFT JOIN call_signals s ON s.call_id = c.id AND s.sender_id = ?
     WHERE c.id = ?${lockingEnd(em)}`,
    [userId, userId, callId],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const { grace_until, deadline_at, signal_id: _, sent_at: _at, ...call } = first;
  return {
    call: { ...call, deadline_at: toDateOrNull(deadline_at) },
    sent: rows.flatMap(({ signal_id, sent_at }) =>
      signal_id === null || sent_at === null ? [] : [{ signal_id, created_at: toDate(sent_at) }],
    ),
    leaseUntil: toDateOrNull(grace_until),
  };
}

/** Returns the body of a signal that the user has sent in the call. */
export async function findSignalBody(
  em: EntityManager,
  callId: CallId,
  userId: UserId,
  signalId: string,
): Promise<string | undefined> {
  const key = { call_id: callId, sender_id: userId, signal_id: signalId };
  const [signal] = await findRows(em, CallSignalEntity, key);
  return signal?.body;
}

/** Returns the bodies of signals that were sent after a time, by id. */
export async function readSignalBodies(
  em: EntityManager,
  ids: number[],
  after: Date,
): Promise<Map<number, string>> {
  const rows = await em.query<{ id: number; body: string }[]>(
    `SELECT id, body FROM call_signals WHERE id IN (${placeholders(ids)}) AND created_at > ?`,
    [...ids, toSqlTimestamp(em, after)],
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** Inserts a signal and returns its id. */
export const insertSignal = (em: EntityManager, signal: Omit<CallSignalEntity, 'id'>): Promise<number> =>
  insertRows(em, CallSignalEntity, [signal]);

/** Deletes all signals of a call. */
export async function deleteSignalsOf(em: EntityManager, callId: CallId): Promise<void> {
  await deleteRows(em, CallSignalEntity, { call_id: callId });
}

/** Deletes the signals of a call that were sent at or before a time. */
export async function deleteOldSignalsOf(em: EntityManager, callId: CallId, until: Date): Promise<void> {
  await affectedBy(em, 'DELETE FROM call_signals WHERE call_id = ? AND created_at <= ?', [
    callId,
    toSqlTimestamp(em, until),
  ]);
}

/** Returns the ids of at most `limit` signals that were sent at or before a time, in ascending order. */
export async function findOldSignals(em: EntityManager, until: Date, limit: number): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM call_signals WHERE created_at <= ? ORDER BY created_at LIMIT ${limit}`,
    [toSqlTimestamp(em, until)],
  );
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

export async function deleteSignals(em: EntityManager, ids: number[]): Promise<void> {
  await deleteRows(em, CallSignalEntity, { id: ids });
}
