import type { CallOutcome, CallNotice } from '../../messaging/rules/notice.rules';
import { durationOf } from '../dto/call-record.dto';
import type { CallEntity } from '../entities/call.entity';

/** The `end_reason` that the service sets if the callee is in another call. */
export const BUSY = 'busy';

/**
 * Whether the call is an attempt to reach a busy callee, which never rang. The reason alone does not show it: a user
 * may end a call with any reason.
 */
export const isBusyAttempt = ({
  end_reason,
  ended_by,
  created_at,
  ring_expires_at,
}: Pick<CallEntity, 'end_reason' | 'ended_by' | 'created_at' | 'ring_expires_at'>): boolean =>
  end_reason === BUSY && ended_by === null && ring_expires_at.getTime() === created_at.getTime();

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
