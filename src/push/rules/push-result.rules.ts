import type { PushJobEntity } from '../entities/push-job.entity';
import type { Composed } from './compose-push.rules';
import type { PushOutcome } from './push-message.rules';
import { gapAfter, pushWaitAfter } from './push-schedule.rules';

/* Decides the next state of a job after an attempt (API 18.2, 18.4). Pure. */

/** The columns that a result sets. */
export type JobResult = Pick<
  PushJobEntity,
  | 'id'
  | 'sent_rev'
  | 'shown'
  | 'told_id'
  | 'pushes'
  | 'attempts'
  | 'due_at'
  | 'next_at'
  | 'sent_at'
  | 'caused_at'
  | 'claim'
>;

/**
 * Returns the row after an attempt; undefined: the row ends.
 * @param sent the row as it was claimed
 * @param row the row now: a higher `rev` is due again
 * @param outcome null: nothing had to be sent
 * @param isRegisteredAgain whether the app has registered the target since the claim: the refusal was for its former token
 */
export function resultOf(
  { sent, row, composed }: { sent: PushJobEntity; row: PushJobEntity; composed: Composed },
  outcome: PushOutcome | null,
  { now, chance, isRegisteredAgain }: { now: Date; chance: number; isRegisteredAgain: boolean },
): JobResult | undefined {
  const isNewer = row.rev > sent.rev;
  const kept: JobResult = {
    id: row.id,
    sent_rev: row.sent_rev,
    shown: row.shown,
    told_id: row.told_id,
    pushes: row.pushes,
    attempts: 0,
    due_at: isNewer ? latest(now, row.next_at) : null,
    next_at: row.next_at,
    sent_at: row.sent_at,
    caused_at: isNewer ? now : row.caused_at,
    claim: null,
  };
  if (composed.push === null || outcome === null) {
    const then = composed.push === null ? composed.row : 'keep';
    if (then === 'end' && !isNewer) return undefined;
    return {
      ...kept,
      sent_rev: sent.rev,
      // An earlier attempt at a ring may have arrived.
      ...(then === 'keep' && row.type === 'call' && { shown: true }),
      ...(then === 'postpone' && { due_at: latest(now, row.next_at), caused_at: row.caused_at }),
    };
  }
  if (outcome.result === 'accepted') return accepted({ sent, kept, composed, isNewer }, now);
  const isCall = row.type === 'call';
  if (outcome.result !== 'retry') {
    // An earlier message that the target shows is removed later.
    if (!isNewer && !isRegisteredAgain)
      return row.shown && composed.push.type === 'message' ? kept : undefined;
    // Earlier attempts of a ring may have arrived; the refused one has not.
    return {
      ...kept,
      attempts: isCall ? Math.max(0, row.attempts - 1) : 0,
      due_at: latest(now, row.next_at),
    };
  }
  // The claim of a ring has counted the attempt already.
  const attempts = isCall ? Math.max(1, row.attempts) : row.attempts + 1;
  const waitMs = pushWaitAfter(attempts, { isCall, chance, requestedMs: outcome.retryAfterMs });
  const due_at = new Date(now.getTime() + waitMs);
  return due_at >= row.expires_at ? undefined : { ...kept, attempts, due_at, caused_at: row.caused_at };
}

function accepted(
  {
    sent,
    kept,
    composed,
    isNewer,
  }: { sent: PushJobEntity; kept: JobResult; composed: Composed; isNewer: boolean },
  now: Date,
): JobResult | undefined {
  const type = composed.push?.type;
  const result = { ...kept, sent_rev: sent.rev, sent_at: now };
  if (type === 'read')
    return isNewer
      ? { ...result, shown: false, told_id: 0, pushes: 0, next_at: null, due_at: now }
      : undefined;
  if (type === 'call.over') return { ...result, shown: false };
  const pushes = kept.pushes + 1;
  const next_at = type === 'message' ? new Date(now.getTime() + gapAfter(pushes)) : null;
  const toldId = composed.push === null ? 0 : composed.toldId;
  return {
    ...result,
    shown: true,
    told_id: toldId,
    pushes,
    next_at,
    due_at: isNewer ? latest(now, next_at) : null,
  };
}

const latest = (now: Date, other: Date | null): Date => (other !== null && other > now ? other : now);
