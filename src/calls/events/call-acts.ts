import type { AdminCallFields } from '../dto/admin-call.dto';
import { type CallStatus, isFinished } from '../call-state';

interface CallAct {
  /** From neither side. */
  call: AdminCallFields;
}

declare module '../../outbox/act-types' {
  interface ActPayloads {
    'call.created': CallAct;
    'call.answered': CallAct;
    'call.ended': CallAct;
  }
}

/**
 * What back ends are told when a call has come from a status (null: it is new) to another one; undefined: nothing. An
 * attempt that found its callee busy has only an end (contract 12.3).
 */
export function actFor(
  before: CallStatus | null,
  after: CallStatus,
): 'call.created' | 'call.answered' | 'call.ended' | undefined {
  if (after === before) return undefined;
  if (isFinished(after)) return 'call.ended';
  if (before === null) return 'call.created';
  return after === 'accepted' ? 'call.answered' : undefined;
}
