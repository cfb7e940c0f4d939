import type { EntityManager } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { lockingEnd, type RawMoment, toDate } from '../../database/dialect';

/** What decides when a call ends by itself: until when each participant is waited for, null: for as long as it lasts. */
export interface LeaseState {
  /** Null: it was not answered yet. */
  acceptedAt: Date | null;
  /** Null: it is over. */
  deadlineAt: Date | null;
  presences: { userId: UserId; graceUntil: Date | null }[];
}

interface Row {
  accepted_at: RawMoment | null;
  deadline_at: RawMoment | null;
  user_id: UserId | null;
  grace_until: RawMoment | null;
}

const toDateOrNull = (value: RawMoment | null): Date | null => (value === null ? null : toDate(value));

/** Reads all of it with one statement, which holds the call. Undefined when there is no such call. */
export async function lockForLease(em: EntityManager, callId: CallId): Promise<LeaseState | undefined> {
  const rows = await em.query<Row[]>(
    `SELECT c.accepted_at, c.deadline_at, p.user_id, p.grace_until
     FROM calls c LEFT JOIN call_media_presences p ON p.call_id = c.id WHERE c.id = ?${lockingEnd(em)}`,
    [callId],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    acceptedAt: toDateOrNull(first.accepted_at),
    deadlineAt: toDateOrNull(first.deadline_at),
    presences: rows.flatMap(({ user_id, grace_until }) =>
      user_id === null ? [] : [{ userId: user_id, graceUntil: toDateOrNull(grace_until) }],
    ),
  };
}
