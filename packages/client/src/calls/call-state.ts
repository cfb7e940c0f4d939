/**
 * `calling`: rings at the callee; `ringing`: rings here; `connecting`: accepted, media not connected yet; `in call`;
 * `reconnecting`: the media connection is interrupted; `ended`.
 */
export type CallState = 'calling' | 'ringing' | 'connecting' | 'in call' | 'reconnecting' | 'ended';

/** Why a call ended: a reason of docs/calls.md, or another terminal accepted or declined it, or the terminal was closed. */
export type EndReason = 'answered_elsewhere' | 'declined_elsewhere' | 'page_closed' | (string & {});

/** End reason of a call that the user leaves in these states. The service records the same reason. */
export const REASONS: Partial<Record<CallState, EndReason>> = {
  ringing: 'user_reject',
  calling: 'caller_cancel',
};
