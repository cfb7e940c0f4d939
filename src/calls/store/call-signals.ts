import type { EntityManager } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { lockingEnd, placeholders, type RawMoment, toDate, toMoment } from '../../database/dialect';
import { affectedBy, deleteRows, findRows } from '../../database/rows';
import type { CallEntity } from '../entities/call.entity';
import { CallSignalEntity } from '../entities/call-signal.entity';

/** What must be known of a call, and of what a user has sent in it, to relay one more signal. */
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
  /** The user's signals that are kept. */
  sent: { signal_id: string; created_at: Date }[];
  /** Until when the user's terminal is on a lease; null: it is on none. */
  leaseUntil: Date | null;
}

type Row = Omit<SignallingState['call'], 'deadline_at'> & {
  deadline_at: RawMoment | null;
  grace_until: RawMoment | null;
  signal_id: string | null;
  sent_at: RawMoment | null;
};

/**
 * Reads all of it with one statement, which holds the call: what is written then is written before its end, which takes
 * it away again, and a user's signals come one after the other. Undefined when there is no such call.
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

const toDateOrNull = (value: RawMoment | null): Date | null => (value === null ? null : toDate(value));

/** The body of a signal that a user has sent in a call. */
export async function findSignalBody(
  em: EntityManager,
  callId: CallId,
  userId: UserId,
  signalId: string,
): Promise<string | undefined> {
  const sent = { call_id: callId, sender_id: userId, signal_id: signalId };
  const [signal] = await findRows(em, CallSignalEntity, sent);
  return signal?.body;
}

/** The bodies of signals that were sent after a moment, by number. */
export async function readSignalBodies(
  em: EntityManager,
  ids: number[],
  after: Date,
): Promise<Map<number, string>> {
  const rows = await em.query<{ id: number; body: string }[]>(
    `SELECT id, body FROM call_signals WHERE id IN (${placeholders(ids)}) AND created_at > ?`,
    [...ids, toMoment(em, after)],
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** Deletes the signals of a call that were sent up to a moment. */
export async function deleteOldSignalsOf(em: EntityManager, callId: CallId, until: Date): Promise<void> {
  await affectedBy(em, 'DELETE FROM call_signals WHERE call_id = ? AND created_at <= ?', [
    callId,
    toMoment(em, until),
  ]);
}

/** The numbers of signals that were sent up to a moment, so many at most. */
export async function findOldSignals(em: EntityManager, until: Date, limit: number): Promise<number[]> {
  const rows = await em.query<{ id: number }[]>(
    `SELECT id FROM call_signals WHERE created_at <= ? ORDER BY created_at LIMIT ${limit}`,
    [toMoment(em, until)],
  );
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

/** Deletes signals by their numbers. */
export async function deleteSignals(em: EntityManager, ids: number[]): Promise<void> {
  await deleteRows(em, CallSignalEntity, { id: ids });
}
