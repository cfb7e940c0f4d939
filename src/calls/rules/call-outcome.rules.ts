import type { CallOutcome, CallNotice } from '../../messaging/rules/notice.rules';
import type { CallEntity } from '../entities/call.entity';

/** The `end_reason` that the service sets if the callee is in another call. */
export const BUSY = 'busy';

/**
 * Whether the call is an attempt to reach a busy callee, which never rang. The reason alone does not show it: a user
 * may end a call with any reason.
 */
export const isBusyAttempt = ({ end_reason, ended_by, created_at, ring_expires_at }: CallEntity): boolean =>
  end_reason === BUSY && ended_by === null && ring_expires_at.getTime() === created_at.getTime();

/** Whether a call ended without its callee having answered or declined (API 5.8). */
export const isMissed = ({ status, accepted_at }: Pick<CallEntity, 'status' | 'accepted_at'>): boolean =>
  status === 'cancelled' || (status === 'ended' && accepted_at === null);

/** Returns the duration of a finished call in whole seconds; 0 if it was not answered, or has not finished. */
export function durationOf({ accepted_at, ended_at }: Pick<CallEntity, 'accepted_at' | 'ended_at'>): number {
  if (accepted_at === null || ended_at === null) return 0;
  return Math.max(0, Math.floor((ended_at.getTime() - accepted_at.getTime()) / 1000));
}

/** Returns the content of the chat notice about a finished call. An answered call has a duration, however it ended. */
export const finishedCallOf = (call: CallEntity): CallNotice => ({
  caller_id: call.caller_id,
  callee_id: call.callee_id,
  outcome: outcomeOf(call),
  facts: {
    call_id: call.id,
    media_type: call.media_type,
    status: call.status,
    end_reason: call.end_reason,
    duration: durationOf(call),
  },
});

function outcomeOf(call: CallEntity): CallOutcome {
  if (call.accepted_at !== null) return 'answered';
  if (call.status === 'cancelled' || call.status === 'rejected') return call.status;
  return isBusyAttempt(call) ? 'busy' : 'no_answer';
}
