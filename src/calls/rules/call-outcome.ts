import type { CallOutcome, FinishedCall } from '../../messaging/rules/notice';
import { durationOf } from '../dto/call-record.dto';
import type { CallEntity } from '../entities/call.entity';

/** The reason that the service itself gives where the callee is in another call. */
export const BUSY = 'busy';

/** It never rang; who ends a call that does may give any reason. */
export const isBusyAttempt = ({
  end_reason,
  ended_by,
  created_at,
  ring_expires_at,
}: Pick<CallEntity, 'end_reason' | 'ended_by' | 'created_at' | 'ring_expires_at'>): boolean =>
  end_reason === BUSY && ended_by === null && ring_expires_at.getTime() === created_at.getTime();

/** What a notice in the chat tells of a finished call: of one that was answered its length, whatever ended it. */
export const finishedCallOf = (call: CallEntity): FinishedCall => ({
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
